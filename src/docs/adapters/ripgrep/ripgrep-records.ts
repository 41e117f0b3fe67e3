import type { LineHit } from '../../ports/search-backend.ts';

export type RipgrepRecord =
  | { readonly kind: 'hit'; readonly path: Buffer; readonly hit: Omit<LineHit, 'folder' | 'path'> }
  /** The file of the previous hits contains a NUL byte after them. */
  | { readonly kind: 'binary' };

const NEWLINE = 10;
const COLON = 58;

/** Parses ripgrep's output, `path NUL line:column:offset:text`, from chunks of any size. */
export class RipgrepRecords {
  #rest: Buffer = Buffer.alloc(0);
  readonly #isWanted: (path: Buffer) => boolean;
  #last: { readonly path: Buffer; readonly isWanted: boolean } | undefined;

  /** @param isWanted whether the hits of a file are used; hits of other files are skipped cheaply. Called when the file changes. */
  constructor(isWanted: (path: Buffer) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Yields the records that are now complete. Their buffers are valid until the next call. */
  *push(chunk: Buffer): Generator<RipgrepRecord> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const nul = bytes.indexOf(0, from);
      const isHit = nul >= 0 && nul < end;
      const record =
        isHit && !this.#isWantedPath(bytes, from, nul) ? undefined : readRecord(bytes, from, isHit ? nul : -1, end);
      from = end + 1;
      if (record !== undefined) yield record;
    }
    this.#rest = bytes.subarray(from);
  }

  #isWantedPath(bytes: Buffer, from: number, end: number): boolean {
    const last = this.#last;
    // Hits of one file arrive together.
    if (
      last !== undefined &&
      last.path.length === end - from &&
      bytes.compare(last.path, 0, last.path.length, from, end) === 0
    )
      return last.isWanted;
    const path = Buffer.from(bytes.subarray(from, end));
    const isWanted = this.#isWanted(path);
    this.#last = { path, isWanted };
    return isWanted;
  }
}

/** @param nul the end of the path; -1 if the line is not a hit */
function readRecord(bytes: Buffer, from: number, nul: number, end: number): RipgrepRecord | undefined {
  if (nul < 0) {
    const message = bytes.toString('latin1', Math.max(from, end - 200), end);
    return /: WARNING: stopped searching binary file|: binary file matches/.test(message)
      ? { kind: 'binary' }
      : undefined;
  }
  let at = nul + 1;
  const readNumber = (): number => {
    let value = 0;
    for (let byte = bytes[at] ?? COLON; byte !== COLON; byte = bytes[at] ?? COLON) {
      value = value * 10 + (byte - 48);
      at += 1;
    }
    at += 1;
    return value;
  };
  const line = readNumber();
  const column = readNumber();
  const lineOffset = readNumber();
  const textEnd = bytes[end - 1] === 13 && end > at ? end - 1 : end;
  const text = bytes.toString('utf8', at, textEnd);
  return {
    kind: 'hit',
    path: bytes.subarray(from, nul),
    hit: {
      line,
      // A line of the file that has this very text is read from the file too, with the same result.
      text: /^\[Omitted long (?:matching )?line/.test(text) ? undefined : text,
      lineOffset,
      matchOffset: column - 1,
    },
  };
}
