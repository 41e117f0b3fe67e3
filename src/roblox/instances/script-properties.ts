import type { StoredText } from '../../base/text-blocks.ts';
import type { Variant } from '../values/variant.ts';

/** The properties of a script file: its Source, whose text is decoded at each read, and possibly its RunContext. */
export class ScriptProperties implements ReadonlyMap<string, Variant> {
  readonly #source: StoredText;
  readonly #runContext: number | undefined;

  /** @param runContext number of the item of Enum.RunContext */
  constructor(source: StoredText, runContext: number | undefined) {
    this.#source = source;
    this.#runContext = runContext;
  }

  /** Bytes of the text. */
  get byteLength(): number {
    return this.#source.byteLength;
  }

  get size(): number {
    return this.#runContext === undefined ? 1 : 2;
  }

  has(name: string): boolean {
    return name === 'Source' || (name === 'RunContext' && this.#runContext !== undefined);
  }

  get(name: string): Variant | undefined {
    if (name === 'Source') return { type: 'String', value: this.#source.text() };
    if (name !== 'RunContext' || this.#runContext === undefined) return undefined;
    return { type: 'Enum', value: this.#runContext };
  }

  keys(): MapIterator<string> {
    return this.#whole().keys();
  }

  values(): MapIterator<Variant> {
    return this.#whole().values();
  }

  entries(): MapIterator<[string, Variant]> {
    return this.#whole().entries();
  }

  [Symbol.iterator](): MapIterator<[string, Variant]> {
    return this.entries();
  }

  forEach(look: (value: Variant, name: string, map: ReadonlyMap<string, Variant>) => void): void {
    for (const [name, value] of this.entries()) look(value, name, this);
  }

  #whole(): ReadonlyMap<string, Variant> {
    const whole = new Map<string, Variant>();
    for (const name of ['Source', 'RunContext']) {
      const value = this.get(name);
      if (value) whole.set(name, value);
    }
    return whole;
  }
}
