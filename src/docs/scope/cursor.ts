import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import { AppError } from '../../base/errors.ts';

/** The place in an answer after which the next page begins. */
export interface Position {
  readonly root: string;
  readonly path: string;
  /** The last line that was given; for a list of hits by rank, how many were given. */
  readonly line: number;
}

/**
 * A cursor holds the place, what was asked, and the commits that were served, so that no page continues another answer than its own.
 *
 * @param asked everything of the request but the cursor, and the commits; must print the same each time
 */
export function writeCursor(asked: object, position: Position): string {
  const text = JSON.stringify([1, fingerprint(asked), position.root, position.path, position.line]);
  return encodeBase64(new TextEncoder().encode(text)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws AppError CURSOR_STALE when it is none of ours, or of another request, or files were synced since */
export function readCursor(asked: object, cursor: string): Position {
  const [version, print, root, path, line] = parse(cursor);
  if (version !== 1 || typeof root !== 'string' || typeof path !== 'string' || typeof line !== 'number')
    throw new AppError('CURSOR_STALE', { reason: 'it did not come from here' });
  if (print !== fingerprint(asked))
    throw new AppError('CURSOR_STALE', {
      reason: 'it belongs to a call with other arguments, or a root was synced or configured since',
    });
  return { root, path, line };
}

function parse(cursor: string): readonly unknown[] {
  const bytes = decodeBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  if (bytes === undefined) return [];
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** 64 bits are enough to tell requests apart; nothing is kept safe by them. */
function fingerprint(asked: object): string {
  const text = JSON.stringify(asked);
  let one = 0x811c9dc5;
  let other = 0x1b873593;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193) >>> 0;
    other = Math.imul(other ^ (code + at), 0x85ebca6b) >>> 0;
  }
  return one.toString(36) + other.toString(36);
}
