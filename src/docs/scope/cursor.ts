import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import { AppError } from '../../base/errors.ts';
import { parseJson } from '../../base/parse-json.ts';
import { MAX_CURSOR_LENGTH } from '../../protocol/limits.ts';

/** The position in an answer after which the next page starts. */
export interface Position {
  readonly root: string;
  readonly path: string;
  /** The last returned line; for ranked hits, the number of returned hits. */
  readonly line: number;
}

/**
 * Encodes a position together with a fingerprint of the request and its commits, so that a page never continues another answer.
 *
 * @param cursorKey the request without the cursor, and the commits; must serialize deterministically
 */
export function writeCursor(cursorKey: object, position: Position): string {
  const text = JSON.stringify([1, fingerprint(cursorKey), position.root, position.path, position.line]);
  return encodeBase64(new TextEncoder().encode(text)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Decodes a cursor.
 *
 * @throws AppError CURSOR_STALE if the cursor is invalid, belongs to another request, or a root was synced since
 */
export function readCursor(cursorKey: object, cursor: string): Position {
  const [version, print, root, path, line] = parse(cursor);
  if (version !== 1 || typeof root !== 'string' || typeof path !== 'string' || typeof line !== 'number')
    throw new AppError('CURSOR_STALE', { reason: 'it is not a cursor of this server' });
  if (print !== fingerprint(cursorKey))
    throw new AppError('CURSOR_STALE', {
      reason: 'it belongs to a call with different arguments, or a root was synced or reconfigured since',
    });
  return { root, path, line };
}

function parse(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CURSOR_LENGTH) return [];
  const bytes = decodeBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  const value = bytes && parseJson(new TextDecoder().decode(bytes));
  return Array.isArray(value) ? value : [];
}

/** Returns a 64-bit hash that distinguishes requests; not for security. */
function fingerprint(cursorKey: object): string {
  const text = JSON.stringify(cursorKey);
  let one = 0x811c9dc5;
  let other = 0x1b873593;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193) >>> 0;
    other = Math.imul(other ^ (code + at), 0x85ebca6b) >>> 0;
  }
  return one.toString(36) + other.toString(36);
}
