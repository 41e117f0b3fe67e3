import { AppError } from '../../base/errors.ts';
import { utf8Length } from '../../base/utf8-length.ts';
import type { RootFile } from '../ports/root-files.ts';
import type { Namespace } from '../../protocol/roots.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import type { Answer } from '../scope/answer.ts';
import { readCursor, writeCursor } from '../scope/cursor.ts';
import { readBytes } from './file-bytes.ts';
import { findPath, foundMeta, type FoundPath } from './find-path.ts';
import { scanLines } from './scan-lines.ts';
import { decodeText, splitLines, type Line } from './text.ts';
import { openScope, type OpenScope } from '../scope/open-scope.ts';
import type { RetrievalDeps, Terms } from '../scope/retrieval-deps.ts';

export interface FileText {
  readonly root: string;
  readonly namespace: Namespace;
  readonly path: string;
  readonly lines: readonly Line[];
  /** `lossy`: bytes that are not valid UTF-8 were replaced. */
  readonly encoding: 'utf-8' | 'utf-16' | 'lossy';
}
export interface Snippet extends FileText {
  readonly startLine: number;
  readonly endLine: number;
}

interface FileRequest {
  readonly scope: unknown;
  readonly path: string;
  readonly cursor: string | undefined;
}

/**
 * Reads a whole file in pages. A line break at the end starts one more, empty line.
 *
 * @throws AppError those of `openScope` and `findPath`, NOT_A_REGULAR_FILE, FILE_TOO_LARGE, FILE_BINARY, FILE_UNREADABLE,
 *   FILE_CHANGED, CURSOR_STALE
 */
export async function openFile(
  deps: RetrievalDeps,
  request: FileRequest,
  terms: Terms,
  signal: AbortSignal,
): Promise<Answer<FileText>> {
  const scope = await openScope(deps, request.scope);
  const found = await findPath(deps, scope, request.path, 'file', signal);
  const cursorKey = ['open_file', found.root.id, found.path, scope.meta.commits];
  const after = request.cursor === undefined ? 0 : readCursor(cursorKey, request.cursor).line;
  await using file = await deps.files.open(found.root, found.path);
  const { lines, encoding } = await readWhole(file, found, terms, signal);
  const page = fitting(lines.slice(after), terms.answerBytes);
  return {
    result: { ...place(found), lines: page, encoding },
    meta: pageMeta(scope, found, cursorKey, page, after + page.length < lines.length),
  };
}

/**
 * Reads a range of lines from a file of any size. A range past the end is shortened; the answer contains the actual range.
 *
 * @throws AppError as `openFile`, and RANGE_INVALID
 */
export async function getSnippet(
  deps: RetrievalDeps,
  request: FileRequest & { readonly startLine: number; readonly endLine: number },
  terms: Terms,
  signal: AbortSignal,
): Promise<Answer<Snippet>> {
  const { startLine, endLine } = request;
  const scope = await openScope(deps, request.scope);
  const found = await findPath(deps, scope, request.path, 'file', signal);
  const cursorKey = ['get_snippet', found.root.id, found.path, startLine, endLine, scope.meta.commits];
  const after = request.cursor === undefined ? 0 : readCursor(cursorKey, request.cursor).line;
  await using file = await deps.files.open(found.root, found.path);
  const range = await readRange(file, found, { startLine, endLine, after }, terms, signal);
  const page = fitting(
    range.lines.filter(line => line.line > after),
    terms.answerBytes,
  );
  const isCut = range.isCut || (page.at(-1)?.line ?? 0) < (range.lines.at(-1)?.line ?? 0);
  return {
    result: {
      ...place(found),
      startLine: range.startLine,
      endLine: range.endLine,
      lines: page,
      encoding: range.encoding,
    },
    meta: pageMeta(scope, found, cursorKey, page, isCut),
  };
}

const place = ({ root, path }: FoundPath) => ({ root: root.id, namespace: root.definition.namespace, path });

function pageMeta(
  scope: OpenScope,
  found: FoundPath,
  cursorKey: object,
  page: readonly Line[],
  isTruncated: boolean,
): Answer<unknown>['meta'] {
  const last = page.at(-1);
  return {
    ...foundMeta(found),
    skipped: scope.skipped,
    truncated: isTruncated,
    next:
      isTruncated && last !== undefined
        ? writeCursor(cursorKey, { root: found.root.id, path: found.path, line: last.line })
        : undefined,
  };
}

/** Bytes of a line in an answer besides its text. */
const LINE_OVERHEAD = 24;

/** Returns as many lines as fit into `maxBytes`, and at least one. */
function fitting(lines: readonly Line[], maxBytes: number): readonly Line[] {
  let bytes = 0;
  const end = lines.findIndex(
    (line, index) => (bytes += utf8Length(line.text) + LINE_OVERHEAD) > maxBytes && index > 0,
  );
  return end < 0 ? lines : lines.slice(0, end);
}

async function readWhole(
  file: RootFile,
  { root, path }: FoundPath,
  terms: Terms,
  signal: AbortSignal,
): Promise<Pick<FileText, 'lines' | 'encoding'>> {
  if (file.size > terms.openedBytes)
    throw new AppError('FILE_TOO_LARGE', { root: root.id, path, size: file.size, limit: terms.openedBytes });
  const bytes = await readBytes(file, 0, file.size, signal);
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw binary(root.id, path, bytes);
  return { lines: splitLines(decoded.text), encoding: decoded.encoding };
}

async function readRange(
  file: RootFile,
  found: FoundPath,
  { startLine, endLine, after }: { readonly startLine: number; readonly endLine: number; readonly after: number },
  terms: Terms,
  signal: AbortSignal,
): Promise<Pick<Snippet, 'lines' | 'encoding' | 'startLine' | 'endLine'> & { readonly isCut: boolean }> {
  const { root, path } = found;
  const head = await readBytes(file, 0, RETRIEVAL_LIMITS.sniffedBytes, signal);
  const isUtf16 = decodeText(head)?.encoding === 'utf-16';
  if (!isUtf16 && head.includes(0)) throw binary(root.id, path, head, file.size);
  const scanned = isUtf16
    ? fromWhole(await readWhole(file, found, terms, signal), startLine, endLine)
    : await scanLines(file, Math.max(startLine, after + 1), endLine, terms.answerBytes, signal);
  if (scanned === 'tooFar')
    throw new AppError('FILE_TOO_LARGE', {
      root: root.id,
      path,
      size: file.size,
      limit: RETRIEVAL_LIMITS.scannedBytes,
    });
  const first = Math.min(startLine, scanned.total ?? startLine);
  const last = Math.min(endLine, scanned.total ?? endLine);
  if (first > last) throw new AppError('RANGE_INVALID', { start_line: String(startLine), end_line: String(endLine) });
  return {
    lines: scanned.lines.filter(line => line.line >= first && line.line <= last),
    encoding: scanned.encoding,
    isCut: scanned.isCut,
    startLine: first,
    endLine: last,
  };
}

function fromWhole(whole: Pick<FileText, 'lines' | 'encoding'>, startLine: number, endLine: number) {
  const total = whole.lines.length;
  const lines = whole.lines.slice(Math.min(startLine, total) - 1, Math.max(endLine, startLine));
  return { lines, encoding: whole.encoding, total, isCut: false };
}

function binary(root: string, path: string, bytes: Uint8Array, size = bytes.length): AppError {
  const head = Array.from(bytes.subarray(0, 16), byte => byte.toString(16).padStart(2, '0')).join('');
  return new AppError('FILE_BINARY', { root, path, size, head });
}
