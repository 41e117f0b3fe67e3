import type { ProjectPath } from '../../base/brand.ts';
import { type JsonPath, printJson } from '../../roblox/formats/json5-edit.ts';

type Container = Record<string | number, unknown>;

/** The value of a JSON file that a plan creates. It has no layout to keep, so edits change the value, and it is printed at the end. */
export class NewJson {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  /**
   * Sets the value at `at`, or removes it if `value` is `undefined`. Creates missing objects on the way.
   *
   * @returns the undo; `undefined` when the path leads through a value that is not an object, and nothing was changed
   */
  set(at: JsonPath, value: unknown): (() => void) | undefined {
    let holder = asContainer(this.#value);
    for (const [depth, step] of at.entries()) {
      if (holder === undefined) return undefined;
      const parent: Container = holder;
      const before = parent[step];
      if (depth === at.length - 1) return replace(parent, step, value);
      if (before === undefined) {
        if (value === undefined) return () => undefined;
        const made = at.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
        return replace(parent, step, made);
      }
      holder = asContainer(before);
    }
    return undefined;
  }

  /** The text of the file: JSON, or JSON5 by the extension of its name. */
  print(path: ProjectPath): string {
    return `${printJson(this.#value, { newline: '\n', indent: '  ', isJson5: path.endsWith('.json5') })}\n`;
  }
}

// Values of JSON are plain objects and arrays, and both take steps of a path as keys.
const asContainer = (value: unknown): Container | undefined =>
  typeof value === 'object' && value !== null ? (value as Container) : undefined;

function replace(holder: Container, step: string | number, value: unknown): () => void {
  const wasThere = Object.hasOwn(holder, step);
  const before = holder[step];
  if (value === undefined) Reflect.deleteProperty(holder, step);
  else Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true });
  return () => void (wasThere ? (holder[step] = before) : Reflect.deleteProperty(holder, step));
}
