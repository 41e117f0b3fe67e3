import type { Value } from '../../backend/contract.ts';
import { Bytes, List, PlutoMap, PlutoSet } from './collections.ts';
import { capturedBy, closure, EnumData, Instance } from './data.ts';

/**
 * Deep-copies values for a task: lists, maps, sets, bytes, instances, enums and captured values of functions. Shared references and cycles
 * are preserved. Everything else is shared.
 */
export class Copier {
  readonly #isShared: (value: object) => boolean;
  readonly #copies = new Map<object, object>();
  /** Copies that are not filled yet. Iterative, because a chain of objects may be deeper than the stack. */
  readonly #open: (() => void)[] = [];

  /** @param isShared singletons are never copied */
  constructor(isShared: (value: object) => boolean) {
    this.#isShared = isShared;
  }

  copy(value: Value): Value {
    const copy = this.#begin(value);
    for (let fill = this.#open.pop(); fill !== undefined; fill = this.#open.pop()) fill();
    return copy;
  }

  #begin(value: Value): Value {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    return this.#copies.get(value) ?? (this.#isShared(value) ? value : this.#beginObject(value));
  }

  #beginObject(value: object): object {
    if (value instanceof List)
      return this.#fillLater(value, new List(), copy => {
        for (const item of value.items) copy.push(this.#begin(item));
      });
    if (value instanceof PlutoMap)
      return this.#fillLater(value, value.emptyCopy(), copy => {
        // The slot of a key depends on its content, so keys are copied first.
        for (const [key, one] of value.entries()) copy.insert(this.copy(key), this.#begin(one));
      });
    if (value instanceof PlutoSet)
      return this.#fillLater(value, value.emptyCopy(), copy => {
        for (const item of value.to_array().items) copy.insert(this.copy(item));
      });
    if (value instanceof Bytes) return this.#remember(value, new Bytes(value.items.slice()));
    if (value instanceof EnumData) return value.fields.length === 0 ? value : this.#beginEnum(value);
    if (value instanceof Instance) {
      const empty = Object.create(Object.getPrototypeOf(value) as object) as object;
      return this.#fillLater(value, empty, copy => {
        for (const [name, field] of Object.entries(value)) Object.assign(copy, { [name]: this.#begin(field) });
      });
    }
    const captured = capturedBy(value);
    if (captured === undefined) return value;
    const values = captured.values.map(one => this.#begin(one));
    return this.#remember(value, closure(captured.make, values) as object);
  }

  #beginEnum(value: EnumData): EnumData {
    const fields: Value[] = [];
    return this.#fillLater(value, new EnumData(value.variant, fields), () => {
      for (const field of value.fields) fields.push(this.#begin(field));
    });
  }

  #fillLater<T extends object>(value: object, copy: T, fill: (copy: T) => void): T {
    this.#open.push(() => fill(copy));
    return this.#remember(value, copy);
  }

  #remember<T extends object>(value: object, copy: T): T {
    this.#copies.set(value, copy);
    return copy;
  }
}
