import type { RootPath } from '../../base/root-path.ts';

/** What a line must contain. */
export interface LinePattern {
  /** Any of these; at least one, none empty, none with a line break. */
  readonly texts: readonly string[];
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
  /** Only where the match begins and ends at a word's edge. */
  readonly wholeWord: boolean;
}

export interface SearchRequest {
  readonly pattern: LinePattern;
  /** Absolute, links followed, none inside another. */
  readonly folders: readonly string[];
  /** Search only files whose names match one of these (`*` and `?` only); a shortcut, which the caller checks again. */
  readonly nameGlobs?: readonly string[];
  /** Whether the lines of a file are of interest; a shortcut as well. Asked once per file, or more often. */
  readonly wants?: (folder: number, path: RootPath) => boolean;
  /** Lines per file that are of interest, from its top; the rest may be left out. */
  readonly mostPerFile?: number;
  /** Files come folder after folder, name by name on the way down by code points: a folder comes before what sorts after its name. */
  readonly inOrder: boolean;
  /** Told of each file that is larger than `RETRIEVAL_LIMITS.searchedFileBytes`; of all of them once the search has ended by itself. */
  readonly onTooLarge?: (folder: number, path: RootPath) => void;
}

export interface LineHit {
  /** Index into `folders`. */
  readonly folder: number;
  readonly path: RootPath;
  /** From 1. */
  readonly line: number;
  /** Without its line end, not valid UTF-8 replaced; `undefined`: longer than `RETRIEVAL_LIMITS.lineBytes`, read it from the file. */
  readonly text: string | undefined;
  /** Bytes before the line, and before the first match in it. */
  readonly lineOffset: number;
  readonly matchOffset: number;
}

/** `false` ends the search. A promise makes the search wait for it. */
export type OnHit = (hit: LineHit) => boolean | Promise<boolean>;

/**
 * Looks through text files, line by line. Left out: names that start with a dot, what the `.gitignore` files inside the folder
 * exclude (those above it, `.ignore` files and git's own configuration do not count), links, files that are not regular, larger than
 * `RETRIEVAL_LIMITS.searchedFileBytes`, hold a NUL byte, or cannot be read.
 *
 * Lines end at LF or CRLF. Texts match bytes; case is folded as Unicode says. A regular expression is one of RE2's, matched in time
 * linear in the text.
 */
export interface SearchBackend {
  /** Whether it goes in order anyway, so that `inOrder` costs nothing. */
  readonly goesInOrder: boolean;
  /**
   * Calls `onHit` once per matching line, the lines of a file in order. Resolves when all was seen or the
   * search was ended.
   *
   * @throws AppError REGEX_INVALID, REGEX_TOO_COMPLEX; the reason of `signal`
   */
  lines(request: SearchRequest, onHit: OnHit, signal: AbortSignal): Promise<void>;
  /** The files that `lines` would look at, whatever their size and content, in no order. */
  files(
    request: Pick<SearchRequest, 'folders' | 'nameGlobs'>,
    onFile: (folder: number, path: RootPath) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
}
