/** The bytes end in the middle of a value, or contain an invalid one. `offset` is from the start of the reader. */
export class FormatError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`);
    this.name = 'FormatError';
    this.offset = offset;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes text; `undefined` for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads little-endian values in order. @throws FormatError at the end of the bytes */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** A view of the next `length` bytes, not a copy. */
  take(length: number): Uint8Array {
    const start = this.#step(length);
    return this.bytes.subarray(start, start + length);
  }

  /** A count of items of at least `size` bytes each, so that no count can require more memory than there are bytes. */
  count(size: number): number {
    const start = this.at;
    const count = this.u32();
    if (count * size > this.left) throw new FormatError(`a count of ${count}, more than the bytes that follow,`, start);
    return count;
  }

  u8 = (): number => this.#view.getUint8(this.#step(1));
  u16 = (): number => this.#view.getUint16(this.#step(2), true);
  i16 = (): number => this.#view.getInt16(this.#step(2), true);
  u32 = (): number => this.#view.getUint32(this.#step(4), true);
  i32 = (): number => this.#view.getInt32(this.#step(4), true);
  f32 = (): number => this.#view.getFloat32(this.#step(4), true);
  f64 = (): number => this.#view.getFloat64(this.#step(8), true);
  /** Length and bytes. */
  sized = (): Uint8Array => this.take(this.count(1));
  /** Length and UTF-8. */
  text = (): string => {
    const start = this.at;
    const text = decodeUtf8(this.sized());
    if (text === undefined) throw new FormatError('a text that is not UTF-8', start);
    return text;
  };

  #step(length: number): number {
    if (length > this.left) throw new FormatError(`${length - this.left} bytes too few`, this.at);
    const start = this.at;
    this.at += length;
    return start;
  }
}
