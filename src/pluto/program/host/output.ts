import { writeSync } from 'node:fs';
import { hasErrorCode, isReaderClosed } from '../../../base/errno.ts';
import { ProgramStop } from '../../../base/program-stop.ts';

/** Destination of the output of a program. */
export interface ProgramOutput {
  /** @param bytes a string of code units 0 to 255 */
  write(to: 'stdout' | 'stderr', bytes: string): void;
  /** Bytes that a reader of this output has so far; 0 for the streams of the process. */
  lengths(): OutputLengths;
}

/** Memory shared by two threads, so that output survives the termination of the thread that printed it. */
export interface SharedOutput {
  /** Byte counts of stdout and stderr. */
  readonly lengths: Int32Array<SharedArrayBuffer>;
  readonly stdout: Uint8Array<SharedArrayBuffer>;
  readonly stderr: Uint8Array<SharedArrayBuffer>;
}

/** @param most maximum bytes of each stream */
export const makeSharedOutput = (most: number): SharedOutput => ({
  lengths: new Int32Array(new SharedArrayBuffer(8)),
  stdout: new Uint8Array(new SharedArrayBuffer(most)),
  stderr: new Uint8Array(new SharedArrayBuffer(most)),
});

const places = { stdout: 0, stderr: 1 } as const;

/** Reads the output so far, or the part between two places. */
export function readShared(
  output: SharedOutput,
  of: 'stdout' | 'stderr',
  start = 0,
  end = lengthOf(output, of),
): string {
  // `TextDecoder` does not accept shared memory.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(output[of].slice(start, end));
}

/** Appends what fits. @returns the number of appended bytes */
export function appendShared(output: SharedOutput, to: 'stdout' | 'stderr', bytes: Uint8Array): number {
  const start = lengthOf(output, to);
  const fitting = bytes.subarray(0, output[to].length - start);
  output[to].set(fitting, start);
  Atomics.store(output.lengths, places[to], start + fitting.length);
  return fitting.length;
}

/** Lengths in bytes. */
export interface OutputLengths {
  readonly stdout: number;
  readonly stderr: number;
}

const lengthOf = (output: SharedOutput, of: 'stdout' | 'stderr'): number => Atomics.load(output.lengths, places[of]);

export const lengthsOf = (output: SharedOutput): OutputLengths => ({
  stdout: lengthOf(output, 'stdout'),
  stderr: lengthOf(output, 'stderr'),
});

/** @throws ProgramStop after writing what fits */
export const sharedOutput = (output: SharedOutput): ProgramOutput => ({
  write(to, bytes) {
    const count = appendShared(output, to, Buffer.from(bytes, 'latin1'));
    if (count < bytes.length) throw new ProgramStop('output limit reached');
  },
  lengths: () => lengthsOf(output),
});

/** Exit status of a process that writes to a closed pipe: 128 plus the number of SIGPIPE. */
export const SIGPIPE_EXIT_CODE = 141;

/** Output to the streams of the process. The program is stopped when its reader closes them. */
export const inheritedOutput: ProgramOutput = {
  write(to, bytes) {
    const buffer = Buffer.from(bytes, 'latin1');
    const descriptor = to === 'stdout' ? 1 : 2;
    try {
      for (let done = 0; done < buffer.length;) done += attempt(() => writeSync(descriptor, buffer, done));
    } catch (error) {
      if (isReaderClosed(error)) throw new ProgramStop('the reader closed the output');
      throw error;
    }
  },
  lengths: () => ({ stdout: 0, stderr: 0 }),
};

/** Retries while the other end of a pipe is not ready. */
export function attempt<T>(act: () => T): T {
  for (;;)
    try {
      return act();
    } catch (error) {
      if (!hasErrorCode(error, 'EAGAIN')) throw error;
      pause(5);
    }
}

/** Blocks this thread. @param ms ≥ 0 */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
