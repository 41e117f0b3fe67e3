import type { Decl, ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { eachItem } from '../syntax/parts.ts';
import { isDeclId } from './ids.ts';

const HINT = /^\/\/ @uuid: (\S+)(?: ([0-9a-f]{12}))?\s*$/;

/** The comment line with the id of the item below it, and a digest of its text when the line was written. */
export const hintComment = (id: DeclId, digest?: string): string =>
  digest === undefined ? `// @uuid: ${id}` : `// @uuid: ${id} ${digest}`;

/** The id in a comment, if the comment is a hint. */
export function idInComment(comment: string): DeclId | undefined {
  const id = HINT.exec(comment)?.[1]?.toLowerCase();
  return id !== undefined && isDeclId(id) ? id : undefined;
}

/** The digest in a comment, if the comment is a hint with one. */
export const digestInComment = (comment: string): string | undefined => HINT.exec(comment)?.[2];

/** The ids in comments by the start of the item below them. The last of two ids for one item is used. */
export function hintsOf({
  text,
  tree,
  comments,
}: Pick<ParsedModule, 'text' | 'tree' | 'comments'>): Map<number, DeclId> {
  const hints = new Map<number, DeclId>();
  const ids = comments.flatMap(comment => {
    const id = idInComment(text.slice(comment.start, comment.end));
    return id === undefined ? [] : [{ id, end: comment.end }];
  });
  if (ids.length === 0) return hints;
  const starts = startsOf(tree.items);
  let at = 0;
  for (const { id, end } of ids) {
    while (at < starts.length && (starts[at] ?? 0) < end) at += 1;
    const start = starts[at];
    // Only comments may be between a hint and its item.
    if (start !== undefined && isTrivia(text.slice(end, start))) hints.set(start, id);
  }
  return hints;
}

function startsOf(items: readonly Decl[]): readonly number[] {
  const starts: number[] = [];
  eachItem(items, ({ start }) => starts.push(start));
  return starts.toSorted((a, b) => a - b);
}

const isTrivia = (text: string): boolean => text.split('\n').every(line => /^\s*(?:\/\/.*)?$/.test(line));
