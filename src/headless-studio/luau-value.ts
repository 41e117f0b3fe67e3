/**
 * Values that are passed between JavaScript and Luau. A string is UTF-8 text; bytes are a Luau `buffer`; a table that is a sequence (or
 * empty) is an array, one with only string keys an object, any other a `Map`.
 */
export type LuauValue =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly LuauValue[]
  | ReadonlyMap<LuauValue, LuauValue>
  | LuauOpaque
  | { readonly [key: string]: LuauValue };

/**
 * A value that stays in Luau (function, Instance, Vector3, …), with its `typeof` and `tostring`. Luau returns it, but does not accept it.
 */
export class LuauOpaque {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

// Mirrors `luau/vm.luau`.
const Tag = { nil: 0, false: 1, true: 2, number: 3, string: 4, buffer: 5, array: 6, map: 7, opaque: 8 } as const;

const encoder = new TextEncoder();
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encodes one value as bytes for `luau/vm.luau`. @throws TypeError for values without a Luau form */
export function encodeLuauValue(value: LuauValue): Uint8Array {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes();
}

/** Decodes one value; the result shares no memory with `bytes`. A Luau string that is not UTF-8 becomes bytes. */
export function decodeLuauValue(bytes: Uint8Array): LuauValue {
  return new Reader(bytes).value();
}

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  value(value: LuauValue | undefined): void {
    if (value === null || value === undefined) this.#tag(Tag.nil);
    else if (typeof value === 'boolean') this.#tag(value ? Tag.true : Tag.false);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'string') this.#block(Tag.string, encoder.encode(value));
    else if (value instanceof Uint8Array) this.#block(Tag.buffer, value);
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Map) this.#map(Array.from(value));
    else if (value instanceof LuauOpaque)
      throw new TypeError(`a ${value.type} of another call cannot be passed to Luau`);
    else if (typeof value === 'object') this.#map(Object.entries(value));
    else throw new TypeError(`a ${typeof value} cannot be passed to Luau`);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #room(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  #tag(tag: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = tag;
  }

  #number(value: number): void {
    this.#tag(Tag.number);
    this.#room(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #count(count: number): void {
    this.#room(4);
    this.#view.setUint32(this.#at, count, true);
    this.#at += 4;
  }

  #block(tag: number, bytes: Uint8Array): void {
    this.#tag(tag);
    this.#count(bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #array(values: readonly LuauValue[]): void {
    this.#tag(Tag.array);
    this.#count(values.length);
    for (const value of values) this.value(value);
  }

  #map(entries: readonly (readonly [LuauValue, LuauValue | undefined])[]): void {
    const present = entries.filter(([, value]) => value !== undefined && value !== null);
    this.#tag(Tag.map);
    this.#count(present.length);
    for (const [key, value] of present) {
      this.value(key);
      this.value(value);
    }
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(): LuauValue {
    const tag = this.#bytes[this.#at++];
    switch (tag) {
      case Tag.nil:
        return null;
      case Tag.false:
        return false;
      case Tag.true:
        return true;
      case Tag.number:
        this.#at += 8;
        return this.#view.getFloat64(this.#at - 8, true);
      case Tag.string:
        return textOrBytes(this.#block());
      case Tag.buffer:
        return this.#block();
      case Tag.array:
        return Array.from({ length: this.#count() }, () => this.value());
      case Tag.map:
        return this.#map();
      case Tag.opaque:
        return new LuauOpaque(this.#text(), this.#text());
      default:
        throw new Error(`the Luau VM sent an unknown kind of value (${tag}) at byte ${this.#at - 1}`);
    }
  }

  /** Text for people: replaces invalid UTF-8. */
  #text(): string {
    this.#at++;
    return lenientDecoder.decode(this.#block());
  }

  #count(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  #block(): Uint8Array {
    const length = this.#count();
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  #map(): LuauValue {
    const entries = Array.from({ length: this.#count() }, () => [this.value(), this.value()] as const);
    const named = entries.every(([key]) => typeof key === 'string');
    return named ? Object.fromEntries(entries) : new Map(entries);
  }
}

function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  try {
    return decoder.decode(bytes);
  } catch {
    // Not UTF-8: the caller gets the exact bytes.
    return bytes;
  }
}
