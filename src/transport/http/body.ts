import type { IncomingMessage } from 'node:http';
import { DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../base/decode/paced-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type PausableWork, runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { MAX_BODY_BYTES, MESSAGE_LIMITS } from '../../protocol/limits.ts';
import { messageMemory } from '../../protocol/message-memory.ts';

/** `tooLarge`: exceeds the limit; the rest was not read. `notJson`: not UTF-8, not JSON, or beyond `MESSAGE_LIMITS`. */
export type BodyProblem = 'tooLarge' | 'notJson';

/**
 * Reads a whole request body and decodes it. Rejects a declared length over `maxBytes` without reading.
 *
 * @throws Error if the request ends early, or is dropped because all bodies together take too much memory
 */
export async function readBody<T>(
  request: IncomingMessage,
  decode: (bytes: Uint8Array) => Promise<T>,
  slice: TimeSlice,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Result<T, 'tooLarge'>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return err('tooLarge');
  using memory = messageMemory.reserve(() => request.destroy(new Error('too many unfinished requests')));
  const body = new SegmentedBytes();
  // Destroying the request would close the connection before the error response is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (body.length + chunk.byteLength > maxBytes) return err('tooLarge');
    body.append(chunk);
    memory.resize(body.capacity);
    await slice.yieldToEventLoop();
  }
  memory.resize(2 * body.capacity);
  return ok(await decode(await runInSlices(body.join(), slice)));
}

const SEGMENT_BYTES = 256 * 1024;

/** Bytes in segments of one size: neither a growing copy, which blocks, nor a buffer for each chunk, which can have one byte. */
class SegmentedBytes {
  readonly #segments: Uint8Array[] = [];
  length = 0;

  get capacity(): number {
    return this.#segments.length * SEGMENT_BYTES;
  }

  append(chunk: Uint8Array): void {
    for (let rest = chunk; rest.length > 0;) {
      const at = this.length % SEGMENT_BYTES;
      if (at === 0) this.#segments.push(new Uint8Array(SEGMENT_BYTES));
      const part = rest.subarray(0, SEGMENT_BYTES - at);
      this.#segments.at(-1)?.set(part, at);
      this.length += part.length;
      rest = rest.subarray(part.length);
    }
  }

  *join(): PausableWork<Uint8Array> {
    const whole = new Uint8Array(this.length);
    for (const [index, segment] of this.#segments.entries()) {
      const at = index * SEGMENT_BYTES;
      whole.set(segment.subarray(0, this.length - at), at);
      yield;
    }
    return whole;
  }
}

/** Reads a body of JSON, and parses it in slices. */
export async function readJsonBody(request: IncomingMessage, slice: TimeSlice): Promise<Result<unknown, BodyProblem>> {
  try {
    const decode = (bytes: Uint8Array) => runInSlices(parseJsonPausable(withoutMark(bytes), MESSAGE_LIMITS), slice);
    return await readBody(request, decode, slice);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeBudgetError) return err('notJson');
    throw error;
  }
}

/** The bytes after the byte-order mark, if there is one. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
