const utf8 = new TextEncoder();

/** Fewer bytes than this are copied one by one, because a view of them would take longer. */
const SHORT = 32;
/** At least so many bytes are not copied into the buffer, but kept as a separate piece. */
const LONG = 16 * 1024;

/** Writes little-endian values into a buffer that doubles its size. */
export class ByteWriter {
  /** The bytes before the buffer. */
  readonly #pieces: Uint8Array[] = [];
  #piecesLength = 0;
  #buffer = new Uint8Array(256);
  #view = new DataView(this.#buffer.buffer);
  #used = 0;

  get length(): number {
    return this.#piecesLength + this.#used;
  }

  u8(value: number): void {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
  }
  u16(value: number): void {
    const at = this.#grow(2);
    this.#view.setUint16(at, value, true);
  }
  u32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
  }
  i32(value: number): void {
    const at = this.#grow(4);
    this.#view.setInt32(at, value, true);
  }
  f32(value: number): void {
    const at = this.#grow(4);
    this.#view.setFloat32(at, value, true);
  }
  f64(value: number): void {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
  }
  /** The bytes from `start` to `end`, which must not change until `finish`. */
  raw(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const count = end - start;
    if (count >= LONG) return this.#add(bytes.subarray(start, end));
    let at = this.#grow(count);
    if (count >= SHORT) this.#buffer.set(bytes.subarray(start, end), at);
    else for (let from = start; from < end; from++) this.#buffer[at++] = bytes[from] ?? 0;
  }
  /** Everything that another writer has. It must not write until `finish`. */
  append(other: ByteWriter): void {
    for (const piece of other.pieces()) this.raw(piece);
  }
  /** Length and bytes. */
  sized(bytes: Uint8Array): void {
    this.u32(bytes.length);
    this.raw(bytes);
  }
  /** Length and UTF-8. */
  text(text: string): void {
    this.sized(utf8.encode(text));
  }

  finish(): Uint8Array {
    if (this.#pieces.length === 0) return this.#buffer.slice(0, this.#used);
    const whole = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces()) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  /** The written bytes, in order. The writer must not write while they are used. */
  pieces(): readonly Uint8Array[] {
    return this.#used === 0 ? this.#pieces : [...this.#pieces, this.#buffer.subarray(0, this.#used)];
  }

  #add(bytes: Uint8Array): void {
    if (this.#used > 0) this.#pieces.push(this.#buffer.slice(0, this.#used));
    this.#pieces.push(bytes);
    this.#piecesLength += this.#used + bytes.length;
    this.#used = 0;
  }

  /** Call it before any use of the buffer, because it may replace the buffer. */
  #grow(count: number): number {
    const start = this.#used;
    this.#used += count;
    if (this.#used > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#used));
      larger.set(this.#buffer);
      this.#buffer = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}
