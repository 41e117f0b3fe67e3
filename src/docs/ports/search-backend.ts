import type { RootPath } from '../../base/root-path.ts';

/** The condition for a line to match. */
export interface LinePattern {
  /** Texts of which a line must contain one. Not empty; no text is empty or contains a line break. */
  readonly texts: readonly string[];
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
  /** Whether the match must start and end at a word boundary. */
  readonly wholeWord: boolean;
}

export interface SearchRequest {
  readonly pattern: LinePattern;
  /** Absolute, with links resolved; no folder contains another. */
  readonly folders: readonly string[];
  /** Restricts the search to files whose names match one of these globs (`*` and `?` only). An optimization: the caller checks again. */
  readonly nameGlobs?: readonly string[];
  /** Whether to search a file. Also an optimization: the caller checks again. Called at least once per file. */
  readonly isWanted?: (folder: number, path: RootPath) => boolean;
  /** Maximum number of matching lines per file, counted from its top; a backend may return more. */
  readonly maxPerFile?: number;
  /** Whether to visit files in walk order: folder after folder, names compared by code points (see `compareWalk`). */
  readonly inOrder: boolean;
  /** Called for each file larger than `RETRIEVAL_LIMITS.searchedFileBytes`; complete only if the search was not ended early. */
  readonly onTooLarge?: (folder: number, path: RootPath) => void;
}

export interface LineHit {
  /** Index into `folders`. */
  readonly folder: number;
  readonly path: RootPath;
  /** From 1. */
  readonly line: number;
  /** Without the line break, invalid UTF-8 replaced; `undefined` if longer than `RETRIEVAL_LIMITS.lineBytes`: read it from the file. */
  readonly text: string | undefined;
  /** Bytes before the line. */
  readonly lineOffset: number;
  /** Bytes of the line before its first match. */
  readonly matchOffset: number;
}

/** Handles a hit. `false` ends the search; the search awaits a promise. */
export type OnHit = (hit: LineHit) => boolean | Promise<boolean>;

/**
 * Searches text files line by line. Skips hidden files, files excluded by `.gitignore` files inside the folder (those above it, `.ignore`
 * files and git's configuration are ignored), links, special files, files larger than `RETRIEVAL_LIMITS.searchedFileBytes`, files with a
 * NUL byte and unreadable files.
 *
 * Lines end at LF or CRLF. Texts match bytes; case folding follows Unicode. Regular expressions use RE2 syntax and match in linear time.
 */
export interface SearchBackend {
  /** Whether the backend always visits files in order, so that `inOrder` takes no extra time. */
  readonly isAlwaysOrdered: boolean;
  /**
   * Calls `onHit` once per matching line; lines of one file arrive in order. Resolves when every file was searched, or the search was
   * ended.
   *
   * @throws AppError REGEX_INVALID, REGEX_TOO_COMPLEX; the reason of `signal`
   */
  lines(request: SearchRequest, onHit: OnHit, signal: AbortSignal): Promise<void>;
  /** Lists the files that `lines` would search, regardless of size and content, unsorted. */
  files(
    request: Pick<SearchRequest, 'folders' | 'nameGlobs'>,
    onFile: (folder: number, path: RootPath) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
}
