import { Duplex } from 'node:stream';
import { MAX_FRAME_BYTES } from '../../protocol/limits.ts';
import { TurnBytes } from './turn-bytes.ts';

/** Payload bytes of a fragment; divisible by 4, the length of a mask. */
const FRAGMENT_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 14;
const MASK_BYTES = 4;
/** Memory that `ws` keeps for each frame of an unfinished message, beside its payload. */
const FRAME_OVERHEAD_BYTES = 128;
/** Frames that are passed on in one turn of the event loop: a chunk of 64 KB can contain 11,000. */
const MAX_FRAMES_PER_TURN = 256;

const FIN = 0x80;
const OPCODE = 0x0f;
const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const FIRST_CONTROL = 8;

/**
 * Rewrites the frames of a WebSocket client so that no message is unmasked, joined or validated in one step, which would take `ws` 200 ms
 * for 64 MB: large frames become fragments, and text becomes binary, which `ws` delivers in fragments. `isText` has the original types.
 */
export class FrameSplitter {
  /** Whether each message that was split and not yet read is text, in order. */
  readonly isText: boolean[] = [];
  readonly #onPart: () => void;
  #header: Buffer = Buffer.alloc(0);
  /** Bytes of the current frame's payload that have not arrived yet. */
  #left = 0;
  /** Bytes until the next fragment of the frame begins; more than `#left` in the last fragment. */
  #untilFragment = Number.POSITIVE_INFINITY;
  /** The mask of the current frame, and whether it ends its message. */
  #mask: Buffer = Buffer.alloc(0);
  #isLast = false;
  #isControl = false;
  #frames = 0;
  #pendingBytes = 0;

  /** @param onPart called for each fragment of a large message */
  constructor(onPart: () => void = () => {}) {
    this.#onPart = onPart;
  }

  /** Memory of the message that has begun and not ended. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Returns the rewritten bytes of at most `maxFrames` frames, and the rest of the chunk. */
  take(
    chunk: Buffer,
    maxFrames = Number.POSITIVE_INFINITY,
  ): { readonly out: readonly Buffer[]; readonly rest: Buffer } {
    const out: Buffer[] = [];
    let rest = chunk;
    this.#frames = 0;
    while (rest.length > 0 && this.#frames < maxFrames) {
      if (this.#left === 0) {
        rest = this.#takeHeader(rest, out);
        continue;
      }
      if (this.#untilFragment === 0) this.#startFragment(out, CONTINUATION);
      const length = Math.min(rest.length, this.#left, this.#untilFragment);
      out.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      this.#left -= length;
      this.#untilFragment -= length;
      this.#count(length);
    }
    return { out, rest };
  }

  #takeHeader(chunk: Buffer, out: Buffer[]): Buffer {
    const known = this.#header.length;
    const bytes = Buffer.concat([this.#header, chunk.subarray(0, MAX_HEADER_BYTES - known)]);
    const header = parseHeader(bytes);
    if (header === undefined) {
      this.#header = bytes;
      return chunk.subarray(bytes.length - known);
    }
    this.#header = Buffer.alloc(0);
    this.#start(header, bytes.subarray(0, header.size), out);
    return chunk.subarray(header.size - known);
  }

  #start({ first, opcode, size, length }: FrameHeader, bytes: Buffer, out: Buffer[]): void {
    this.#frames += 1;
    this.#left = length;
    this.#untilFragment = Number.POSITIVE_INFINITY;
    this.#isControl = opcode >= FIRST_CONTROL;
    if (!this.#isControl) this.#isLast = (first & FIN) !== 0;
    this.#count(FRAME_OVERHEAD_BYTES);
    if (opcode === TEXT || opcode === BINARY) this.isText.push(opcode === TEXT);
    // `ws` refuses a frame beyond the limit at its header.
    if (opcode < FIRST_CONTROL && length > FRAGMENT_BYTES && length <= MAX_FRAME_BYTES) {
      this.#mask = bytes.subarray(size - MASK_BYTES);
      this.#startFragment(out, opcode === TEXT ? BINARY : opcode);
      return;
    }
    if (opcode === TEXT) bytes[0] = (first & ~OPCODE) | BINARY;
    out.push(bytes);
  }

  #count(bytes: number): void {
    // A control frame may come between the frames of a message.
    if (this.#isControl) return;
    const isWhole = this.#left === 0 && this.#isLast;
    this.#pendingBytes = isWhole ? 0 : this.#pendingBytes + bytes;
  }

  #startFragment(out: Buffer[], opcode: number): void {
    const length = Math.min(this.#left, FRAGMENT_BYTES);
    const isEnd = this.#isLast && length === this.#left;
    this.#untilFragment = FRAGMENT_BYTES;
    this.#onPart();
    out.push(formatHeader((isEnd ? FIN : 0) | opcode, length, this.#mask));
  }
}

interface FrameHeader {
  readonly first: number;
  readonly opcode: number;
  /** Bytes of the header. */
  readonly size: number;
  /** Bytes of the payload. */
  readonly length: number;
}

/** `undefined` if there are too few bytes. */
function parseHeader(bytes: Buffer): FrameHeader | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  // A frame without a mask is passed on, and `ws` refuses it.
  const size = 2 + lengthBytes + ((second & 0x80) === 0 ? 0 : MASK_BYTES);
  if (bytes.length < size) return undefined;
  const length = lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : readLength(bytes);
  return { first, opcode: first & OPCODE, size, length };
}

const readLength = (bytes: Buffer): number => Number(bytes.readBigUInt64BE(2));

function formatHeader(first: number, length: number, mask: Buffer): Buffer {
  const size = length < 126 ? 0 : length < 0x10000 ? 2 : 8;
  const header = Buffer.alloc(2 + size);
  header[0] = first;
  header[1] = 0x80 | (size === 0 ? length : size === 2 ? 126 : 127);
  if (size === 2) header.writeUInt16BE(length, 2);
  if (size === 8) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, mask]);
}

/** One for all channels, because all of them block the same event loop. */
const turnBytes = new TurnBytes();

/** Wraps `socket` so that its incoming frames are rewritten. @param head the bytes that have already been read from it */
export function withSplitFrames(socket: Duplex, head: Buffer, splitter: FrameSplitter): Duplex {
  let isWanted = true;
  let isTurnDue = false;
  const flow = (): void => void (isWanted && !isTurnDue ? socket.resume() : socket.pause());
  const forward = (chunk: Buffer): void => {
    const { out, rest } = splitter.take(chunk, MAX_FRAMES_PER_TURN);
    for (const piece of out) isWanted = outer.push(piece);
    isTurnDue = rest.length > 0;
    if (isTurnDue) setImmediate(() => outer.destroyed || forward(rest));
    flow();
  };
  const outer = new Duplex({
    read() {
      isWanted = true;
      flow();
    },
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    final: done => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (turnBytes.hasRoomFor(chunk.length)) {
      turnBytes.use(chunk.length);
      return forward(chunk);
    }
    isTurnDue = true;
    flow();
    turnBytes.wait(chunk.length, () => outer.destroyed || forward(chunk));
  });
  socket.on('end', () => outer.push(null));
  socket.on('error', error => outer.destroy(error));
  socket.on('close', () => outer.destroy());
  forward(head);
  return outer;
}
