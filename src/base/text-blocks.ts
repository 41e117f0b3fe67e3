/** Bytes of one block; a text that would fill a good part of it gets one of its own. */
const BLOCK = 256 * 1024;

/** A text that is kept as bytes; each look at it makes the string anew. */
export interface KeptText {
  text(): string;
}

/**
 * Keeps texts by the thousand, for as long as somebody has one of a block. As strings they would lie on the heap, where every young
 * garbage collection on their way to the old generation copies them while everybody waits.
 */
export class TextBlocks {
  #block = new Uint8Array(0);
  #used = 0;

  /** @param text without halves of surrogate pairs, as whatever was decoded from UTF-8 is */
  keep(text: string): KeptText {
    // UTF-8 has at most three bytes for a UTF-16 unit.
    const most = text.length * 3;
    if (most > BLOCK / 4) {
      const bytes = encoder.encode(text);
      return new BytesOfText(bytes, 0, bytes.length);
    }
    if (most > this.#block.length - this.#used) {
      this.#block = new Uint8Array(BLOCK);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += encoder.encodeInto(text, this.#block.subarray(start)).written;
    return new BytesOfText(this.#block, start, this.#used);
  }
}

class BytesOfText implements KeptText {
  readonly #block: Uint8Array;
  readonly #start: number;
  readonly #end: number;

  constructor(block: Uint8Array, start: number, end: number) {
    this.#block = block;
    this.#start = start;
    this.#end = end;
  }

  text(): string {
    return decoder.decode(this.#block.subarray(this.#start, this.#end));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
