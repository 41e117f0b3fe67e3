import { createHash, hash } from 'node:crypto';
import type { PausableWork } from '../../base/time-slice.ts';

/** The buffer for the parts of one small hash; larger than nearly all scripts. */
const buffer = Buffer.alloc(64 * 1024);

/**
 * Hashes the parts one after another; texts as UTF-8. Small content is hashed in one call: a `Hash` is a native object, and the garbage
 * collector finalizes thousands of them in one pause of 20 ms and more.
 *
 * @returns lower-case hex digits
 */
export function hashParts(algorithm: 'sha1' | 'sha256', ...parts: readonly (string | Uint8Array)[]): string {
  return fitsBuffer(parts) ? hash(algorithm, joined(parts)) : hashInSteps(algorithm, parts);
}

function fitsBuffer(parts: readonly (string | Uint8Array)[]): boolean {
  let length = 0;
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.byteLength;
  return length <= buffer.byteLength;
}

function joined(parts: readonly (string | Uint8Array)[]): Uint8Array {
  let end = 0;
  for (const part of parts)
    if (typeof part === 'string') end += buffer.write(part, end);
    else {
      buffer.set(part, end);
      end += part.byteLength;
    }
  return buffer.subarray(0, end);
}

/** Bytes that one step of `hashPausable` hashes, in less than a millisecond. */
const STEP_BYTES = 256 * 1024;

/** Hashes like `hashParts`, with pauses if the content is large. */
export function* hashPausable(
  algorithm: 'sha1' | 'sha256',
  parts: readonly (string | Uint8Array)[],
): PausableWork<string> {
  if (fitsBuffer(parts)) return hashParts(algorithm, ...parts);
  const steps = createHash(algorithm);
  for (const part of parts) {
    if (typeof part === 'string') steps.update(part);
    else
      for (let at = 0; at < part.byteLength; at += STEP_BYTES) {
        steps.update(part.subarray(at, at + STEP_BYTES));
        yield;
      }
  }
  return steps.digest('hex');
}

function hashInSteps(algorithm: string, parts: readonly (string | Uint8Array)[]): string {
  const steps = createHash(algorithm);
  for (const part of parts) steps.update(part);
  return steps.digest('hex');
}
