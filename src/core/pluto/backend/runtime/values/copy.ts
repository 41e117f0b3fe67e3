import type { Value } from '../../contract.ts';
import { Bytes, List, PlutoMap, PlutoSet } from './collections.ts';
import { capturedBy, closure, EnumData, Instance } from './data.ts';

/**
 * Copies what goes into a task, so that nobody else sees what becomes of it: lists, maps, sets, bytes, instances, enums and what functions
 * have captured. What is one object stays one, and rings stay rings. Everything else is shared.
 */
export class Copier {
  readonly #isShared: (value: object) => boolean;
  readonly #copies = new Map<object, object>();

  /** @param isShared singletons are never copied */
  constructor(isShared: (value: object) => boolean) {
    this.#isShared = isShared;
  }

  copy(value: Value): Value {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    return this.#copies.get(value) ?? (this.#isShared(value) ? value : this.#copyObject(value));
  }

  #copyObject(value: object): object {
    if (value instanceof List) {
      const copy = this.#remember(value, new List());
      for (const item of value.items) copy.push(this.copy(item));
      return copy;
    }
    if (value instanceof PlutoMap) {
      const copy = this.#remember(value, new PlutoMap());
      for (const [key, one] of value.entries()) copy.insert(this.copy(key), this.copy(one));
      return copy;
    }
    if (value instanceof PlutoSet) {
      const copy = this.#remember(value, new PlutoSet());
      for (const item of value.to_array().items) copy.insert(this.copy(item));
      return copy;
    }
    if (value instanceof Bytes) return this.#remember(value, new Bytes(value.items.slice()));
    if (value instanceof EnumData)
      return value.fields.length === 0
        ? value
        : new EnumData(
            value.variant,
            value.fields.map(field => this.copy(field)),
          );
    if (value instanceof Instance) return this.#copyInstance(value);
    const captured = capturedBy(value);
    if (captured === undefined) return value;
    return closure(
      captured.make,
      captured.values.map(one => this.copy(one)),
    ) as object;
  }

  #copyInstance(value: object): object {
    const copy = this.#remember(value, Object.create(Object.getPrototypeOf(value) as object) as object);
    for (const [name, field] of Object.entries(value)) Object.assign(copy, { [name]: this.copy(field) });
    return copy;
  }

  #remember<T extends object>(value: object, copy: T): T {
    this.#copies.set(value, copy);
    return copy;
  }
}
