import type { IncomingMessage } from 'node:http';
import { DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../base/decode/paced-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { MAX_BODY_BYTES, MESSAGE_LIMITS } from '../../protocol/limits.ts';
import { bodyMemory } from './body-memory.ts';

/** `tooLarge`: exceeds the limit; the rest was not read. `notJson`: not UTF-8, not JSON, or beyond `MESSAGE_LIMITS`. */
export type BodyProblem = 'tooLarge' | 'notJson';

const FIRST_BYTES = 16 * 1024;

/**
 * Reads a whole request body and decodes it. Rejects a declared length over `maxBytes` without reading.
 *
 * @throws Error if the request ends early, or is dropped because all bodies together take too much memory
 */
export async function readBody<T>(
  request: IncomingMessage,
  decode: (bytes: Uint8Array) => Promise<T>,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Result<T, 'tooLarge'>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return err('tooLarge');
  using memory = bodyMemory.reserve(() => request.destroy(new Error('too many unfinished requests')));
  let bytes = new Uint8Array(FIRST_BYTES);
  let size = 0;
  // Destroying the request would close the connection before the error response is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const end = size + chunk.byteLength;
    if (end > maxBytes) return err('tooLarge');
    if (end > bytes.length) {
      // A declared length is not reserved: the body may never arrive.
      const larger = Math.min(maxBytes, Math.max(end, 2 * bytes.length));
      memory.resize(larger);
      const grown = new Uint8Array(larger);
      grown.set(bytes.subarray(0, size));
      bytes = grown;
    }
    bytes.set(chunk, size);
    size = end;
  }
  return ok(await decode(bytes.subarray(0, size)));
}

/** Reads a body of JSON, and parses it in slices. */
export async function readJsonBody(request: IncomingMessage, slice: TimeSlice): Promise<Result<unknown, BodyProblem>> {
  try {
    return await readBody(request, bytes => runInSlices(parseJsonPausable(withoutMark(bytes), MESSAGE_LIMITS), slice));
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeBudgetError) return err('notJson');
    throw error;
  }
}

/** The bytes after the byte-order mark, if there is one. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
