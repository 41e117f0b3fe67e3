/** Bytes of one block. A text that could take more than a quarter of a block gets a separate buffer. */
const BLOCK_BYTES = 256 * 1024;

/** A text stored as UTF-8 bytes. Each call of `text` decodes it again. */
export interface StoredText {
  /** Bytes of the text in UTF-8. */
  readonly byteLength: number;
  text(): string;
}

/**
 * Stores thousands of texts as bytes in shared blocks. A block is freed when none of its texts is referenced. As strings, the texts would
 * be on the JavaScript heap, where each young garbage collection copies them and blocks the thread.
 */
export class TextBlocks {
  #block = new Uint8Array(0);
  #used = 0;

  /** @param text must not contain lone surrogates; text decoded from UTF-8 never does */
  store(text: string): StoredText {
    // UTF-8 has at most three bytes for a UTF-16 unit.
    const maxBytes = text.length * 3;
    if (maxBytes > BLOCK_BYTES / 4) {
      const bytes = encoder.encode(text);
      return new BytesOfText(bytes, 0, bytes.length);
    }
    if (maxBytes > this.#block.length - this.#used) {
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += encoder.encodeInto(text, this.#block.subarray(start)).written;
    return new BytesOfText(this.#block, start, this.#used);
  }
}

class BytesOfText implements StoredText {
  readonly #block: Uint8Array;
  readonly #start: number;
  readonly #end: number;

  constructor(block: Uint8Array, start: number, end: number) {
    this.#block = block;
    this.#start = start;
    this.#end = end;
  }

  get byteLength(): number {
    return this.#end - this.#start;
  }

  text(): string {
    return decoder.decode(this.#block.subarray(this.#start, this.#end));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
