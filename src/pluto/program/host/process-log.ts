import { writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { isReaderClosed } from '../../../base/errno.ts';
import { ProgramStop } from '../../../base/program-stop.ts';
import { attempt, type ProgramOutput } from './output.ts';
import type { ProgramMessage } from './program-thread.ts';

/** The pipe between the thread of a program process and the parent process. */
export const LOG_DESCRIPTOR = 3;

const KINDS = ['stdout', 'stderr', 'message'] as const;

/** One entry of a pipe: output bytes, or a serialized message. */
interface Frame {
  readonly kind: (typeof KINDS)[number];
  readonly bytes: Uint8Array;
}

/** The index of the kind, and the length in four bytes. */
const HEAD_BYTES = 5;

export function frameOf(kind: Frame['kind'], bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(KINDS.indexOf(kind));
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export const messageFrame = (message: object): Buffer => frameOf('message', serialize(message));

export const messageIn = ({ bytes }: Frame): unknown => deserialize(bytes);

/** Splits the bytes of a pipe into frames. */
export class FrameReader {
  /** Bytes of a frame that is not complete; joined only when it is, because it may come in many chunks. */
  #chunks: Buffer[] = [];
  #length = 0;

  take(chunk: Buffer): readonly Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    while (this.#length >= HEAD_BYTES) {
      const size = HEAD_BYTES + this.#joined(HEAD_BYTES).readUInt32LE(1);
      if (this.#length < size) break;
      const rest = this.#joined(size);
      const kind = KINDS[rest.readUInt8()];
      if (kind !== undefined) frames.push({ kind, bytes: rest.subarray(HEAD_BYTES, size) });
      this.#chunks = [rest.subarray(size)];
      this.#length -= size;
    }
    return frames;
  }

  /** The first chunk, joined with the others if it has fewer bytes. */
  #joined(size: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= size) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

/** Writes to the parent process before it returns, so that nothing is lost when V8 ends the process. */
function writeFrame(frame: Buffer): void {
  try {
    for (let done = 0; done < frame.length;) done += attempt(() => writeSync(LOG_DESCRIPTOR, frame, done));
  } catch (error) {
    if (isReaderClosed(error)) throw new ProgramStop('the parent process ended');
    throw error;
  }
}

export const logMessage = (message: ProgramMessage): void => writeFrame(messageFrame(message));

/** Output to the log. @param most maximum bytes of each stream */
export function loggedOutput(most: number): ProgramOutput {
  const printed = { stdout: 0, stderr: 0 };
  return {
    write(to, bytes) {
      const fitting = bytes.slice(0, most - printed[to]);
      printed[to] += fitting.length;
      writeFrame(frameOf(to, Buffer.from(fitting, 'latin1')));
      if (fitting.length < bytes.length) throw new ProgramStop('output limit reached');
    },
    lengths: () => ({ ...printed }),
  };
}
