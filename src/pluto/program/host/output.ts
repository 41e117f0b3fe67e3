import { writeSync } from 'node:fs';
import { hasErrorCode } from '../../../base/errno.ts';
import { ProgramStop } from '../../../base/program-stop.ts';

/** Where the output of a program goes. */
export interface ProgramOutput {
  /** @param bytes as code units 0 to 255 */
  write(to: 'stdout' | 'stderr', bytes: string): void;
}

/** Memory that two threads share, so that what was printed is there whatever becomes of the thread that printed it. */
export interface SharedOutput {
  /** Two counts of bytes, stdout's and stderr's. */
  readonly lengths: Int32Array<SharedArrayBuffer>;
  readonly stdout: Uint8Array<SharedArrayBuffer>;
  readonly stderr: Uint8Array<SharedArrayBuffer>;
}

/** @param most bytes of each of the two */
export const makeSharedOutput = (most: number): SharedOutput => ({
  lengths: new Int32Array(new SharedArrayBuffer(8)),
  stdout: new Uint8Array(new SharedArrayBuffer(most)),
  stderr: new Uint8Array(new SharedArrayBuffer(most)),
});

const places = { stdout: 0, stderr: 1 } as const;

/** What was written: between two places, or all of it so far. */
export function readShared(
  output: SharedOutput,
  of: 'stdout' | 'stderr',
  start = 0,
  end = lengthOf(output, of),
): string {
  // Decoders refuse memory that is shared.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(output[of].slice(start, end));
}

/** In bytes. */
export interface OutputLengths {
  readonly stdout: number;
  readonly stderr: number;
}

const lengthOf = (output: SharedOutput, of: 'stdout' | 'stderr'): number => Atomics.load(output.lengths, places[of]);

export const lengthsOf = (output: SharedOutput): OutputLengths => ({
  stdout: lengthOf(output, 'stdout'),
  stderr: lengthOf(output, 'stderr'),
});

/** @throws ProgramStop after what fits was written */
export const sharedOutput = (output: SharedOutput): ProgramOutput => ({
  write(to, bytes) {
    const target = output[to];
    const start = lengthOf(output, to);
    const count = Math.min(bytes.length, target.length - start);
    for (let index = 0; index < count; index += 1) target[start + index] = bytes.charCodeAt(index);
    Atomics.store(output.lengths, places[to], start + count);
    if (count < bytes.length) throw new ProgramStop('there is no more room for output');
  },
});

/** With which a process ends that writes where nobody reads any more: 128 and the number of SIGPIPE. */
export const SIGPIPE_EXIT_CODE = 141;

/** The process's own. A program whose output nobody reads any more is stopped. */
export const inheritedOutput: ProgramOutput = {
  write(to, bytes) {
    const buffer = Buffer.from(bytes, 'latin1');
    const descriptor = to === 'stdout' ? 1 : 2;
    try {
      for (let done = 0; done < buffer.length;) done += attempt(() => writeSync(descriptor, buffer, done));
    } catch (error) {
      if (isReaderGone(error)) throw new ProgramStop('nobody reads');
      throw error;
    }
  },
};

/** Where the other end is a socket with bytes that it has not read, its end is a reset. */
const isReaderGone = (error: unknown): boolean => hasErrorCode(error, 'EPIPE', 'ECONNRESET');

/** Again, as long as the other end of a pipe is not ready. */
export function attempt<T>(act: () => T): T {
  for (;;)
    try {
      return act();
    } catch (error) {
      if (!hasErrorCode(error, 'EAGAIN')) throw error;
      pause(5);
    }
}

/** Holds up this thread. @param ms ≥ 0 */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
