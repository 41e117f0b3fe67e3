import { plainText } from '../../../base/line-ends.ts';
import { digestInComment, hintComment, idInComment, idsByItem } from '../identity/hints.ts';
import { withComments } from '../edit/extent.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { parseModule } from '../syntax/parse.ts';
import { isItem } from '../syntax/parts.ts';
import { freeComments } from './free-comments.ts';

const GENERATED_FROM =
  /^\/\/ @generated-from: ([0-9a-f]{64})(?: ([0-9a-f]{64}|-))?(?: (-|[0-9a-f]{12}(?:\.[0-9a-f]{12})*))?[ \t]*\r?$/;

/** The facts that a view records when it is generated. */
export interface ViewStamp {
  /** SHA-256 of the bytes of the module's file. */
  readonly fileHash: string;
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string;
}

/** The marker of a view that differs from its module on purpose: it has no source file and is never regenerated. */
export interface PartialStamp {
  readonly hash: (text: string) => string;
  /** For changed declarations, the previous digests in hints. */
  readonly bases: ReadonlyMap<DeclId, string | undefined>;
}

const NO_FILE = '0'.repeat(64);

/** The digest of a declaration with its comments in a hint, which shows a later sync which side has changed it. */
export const digestOf = (hash: (text: string) => string, text: string): string => hash(text).slice(0, 12);

/**
 * The `.pt` view: the text of the module with one line about its origin, and a hint line above every declaration at the start of a line.
 * Without a stamp, it only has ids, for a view that is shown together with its container.
 */
export function writeView(
  module: Pick<ParsedModule, 'text' | 'tree' | 'comments'>,
  stamp?: ViewStamp | PartialStamp,
): string {
  const { text } = module;
  const blockOf = withComments(module);
  const pieces: string[] = [];
  let at = 0;
  for (const item of module.tree.items) {
    if (!isItem(item) || item.id === undefined) continue;
    const lineStart = text.lastIndexOf('\n', item.start - 1) + 1;
    const indent = text.slice(lineStart, item.start);
    if (lineStart < at || indent.trim() !== '') continue;
    const digest = stamp && digestIn(stamp, item.id, slice(text, blockOf(item)));
    pieces.push(text.slice(at, lineStart), indent, hintComment(item.id, digest), '\n');
    at = lineStart;
  }
  pieces.push(text.slice(at));
  const body = pieces.join('');
  if (stamp === undefined) return body;
  const origin = 'fileHash' in stamp ? `${stamp.fileHash} ${stamp.hash(body)}` : `${NO_FILE} -`;
  const comments = freeComments(module).map(comment => digestOf(stamp.hash, comment.text));
  return `// @generated-from: ${origin} ${comments.length === 0 ? '-' : comments.join('.')}\n${body}`;
}

const slice = (text: string, { start, end }: { readonly start: number; readonly end: number }): string =>
  text.slice(start, end);

const digestIn = (stamp: ViewStamp | PartialStamp, id: DeclId, text: string): string | undefined =>
  'bases' in stamp && stamp.bases.has(id) ? stamp.bases.get(id) : digestOf(stamp.hash, text);

/** Whether a view is exactly as generated, so that generating it again loses nothing. */
export function isUntouched(view: string, hash: (text: string) => string): boolean {
  const firstEnd = view.indexOf('\n');
  const stamp = GENERATED_FROM.exec(view.slice(0, Math.max(0, firstEnd)))?.[2];
  return stamp !== undefined && stamp === hash(view.slice(firstEnd + 1));
}

export interface ReadView {
  /** The parsed text without the lines that the view added. */
  readonly module: ParsedModule;
  /** The hash in the first line, if there is one. */
  readonly generatedFrom: string | undefined;
  /** Ids by the start of the item in `module.text`. */
  readonly hints: ReadonlyMap<number, DeclId>;
  /** The digests in hints, of the declarations when the view was generated. */
  readonly bases: ReadonlyMap<DeclId, string>;
  /** The digests of the comments between declarations when the view was generated; undefined if not recorded. */
  readonly comments: readonly string[] | undefined;
}

/** Parses a view. Keeps the text of people between the added lines exactly, except for `\r\n` and a byte-order mark. */
export function readView(view: string): ReadView {
  const text = plainText(view);
  const added = findAddedLines(text);
  // The stamp is valid even if a person wrote lines above it.
  const [, generatedFrom, , digests] = added.find(({ origin }) => origin !== undefined)?.origin ?? [];
  const pieces: string[] = [];
  const marks: { offset: number; id: DeclId }[] = [];
  let at = 0;
  let length = 0;
  for (const { start, end, id } of added) {
    pieces.push(text.slice(at, start));
    length += start - at;
    if (id !== undefined) marks.push({ offset: length, id });
    at = end;
  }
  pieces.push(text.slice(at));
  const module = parseModule(pieces.join(''));
  const starts = module.tree.items.filter(isItem).map(({ start }) => start);
  const bases = new Map(
    added.flatMap(({ id, digest }) => (id === undefined || digest === undefined ? [] : [[id, digest] as const])),
  );
  const comments = digests === '-' ? [] : digests?.split('.');
  return { module, generatedFrom, hints: idsByItem(module.text, marks, starts), bases, comments };
}

interface AddedLine {
  readonly start: number;
  readonly end: number;
  /** Of a hint. */
  readonly id?: DeclId;
  readonly digest?: string | undefined;
  /** The origin of the view. */
  readonly origin?: RegExpExecArray;
}

/** Finds the lines that the view added. A similar text inside a string is not such a line. */
function findAddedLines(text: string): readonly AddedLine[] {
  return parseModule(text).comments.flatMap((comment): readonly AddedLine[] => {
    const line = text.slice(comment.start, comment.end);
    const start = text.lastIndexOf('\n', comment.start - 1) + 1;
    if (text.slice(start, comment.start).trim() !== '') return [];
    const place = { start, end: Math.min(comment.end + 1, text.length) };
    const id = idInComment(line);
    if (id !== undefined) return [{ ...place, id, digest: digestInComment(line) }];
    const origin = GENERATED_FROM.exec(line);
    return origin === null ? [] : [{ ...place, origin }];
  });
}
