const utf8 = new TextEncoder();

/** Writes little-endian values one after another into a buffer that doubles. */
export class ByteWriter {
  #buffer = new Uint8Array(256);
  #view = new DataView(this.#buffer.buffer);
  length = 0;

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
  raw(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#buffer.set(bytes, at);
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
    return this.#buffer.slice(0, this.length);
  }

  /** May replace the buffer, so it comes before any use of it. */
  #grow(count: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.length));
      larger.set(this.#buffer);
      this.#buffer = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}
