import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../../base/result.ts';
import { MAX_BODY_BYTES, MAX_DEPTH } from '../../protocol/limits.ts';

/** `tooLarge`: exceeds the limit; the rest was not read. `notJson`: not UTF-8, not JSON, or nested deeper than `MAX_DEPTH`. */
export type BodyProblem = 'tooLarge' | 'notJson';

/** Reads a whole request body. Rejects a declared length over `maxBytes` without reading. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Result<Buffer, 'tooLarge'>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return err('tooLarge');
  const chunks: Buffer[] = [];
  let size = 0;
  // Destroying the request would close the connection before the error response is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) return err('tooLarge');
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
}

export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Result<unknown, BodyProblem>> {
  const body = await readBody(request, maxBytes);
  if (!body.ok) return body;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body.value);
    return isTooDeep(text) ? err('notJson') : ok(JSON.parse(text));
  } catch {
    return err('notJson');
  }
}

/** Checks the nesting depth before parsing, because later code may traverse the value recursively. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return false;
}
