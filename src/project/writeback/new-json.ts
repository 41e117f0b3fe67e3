import type { ProjectPath } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { appendToValue, type JsonChanges, setInValue, valueAt } from '../../roblox/formats/json5-edit.ts';
import { printJsonPausable } from '../../roblox/formats/json5-print.ts';

/** The changes of a plan in a JSON file, which may be a new one. */
export type EditableJson = Pick<JsonChanges, 'get' | 'keys' | 'set' | 'append'>;

/** The value of a JSON file that a plan creates. It has no layout to keep, so edits change the value, and it is printed at the end. */
export class NewJson implements EditableJson {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  get: EditableJson['get'] = path => valueAt(this.#value, path);

  keys: EditableJson['keys'] = path => {
    const value = this.get(path);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined;
  };

  set: EditableJson['set'] = (path, value) => setInValue(this.#value, path, value);

  append: EditableJson['append'] = (path, element) => {
    const array = this.get(path);
    if (array !== undefined) return appendToValue(array, element);
    const undo = this.set(path, [element]);
    return undo && { index: 0, undo };
  };

  /** The text of the file: JSON, or JSON5 by the extension of its name. */
  *print(path: ProjectPath): PausableWork<string> {
    const style = { newline: '\n', indent: '  ', isJson5: path.endsWith('.json5') };
    return `${yield* printJsonPausable(this.#value, style, '')}\n`;
  }
}
