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
  const ids = comments.flatMap(comment => {
    const id = idInComment(text.slice(comment.start, comment.end));
    return id === undefined ? [] : [{ id, offset: comment.end }];
  });
  return ids.length === 0 ? new Map() : idsByItem(text, ids, startsOf(tree.items));
}

/**
 * Maps ids to the start of the item below them; between both may only be comments and empty lines. The last of two ids for one item is used.
 *
 * @param ids in the order of their offsets
 * @param starts the starts of the items, sorted
 */
export function idsByItem(
  text: string,
  ids: readonly { readonly id: DeclId; readonly offset: number }[],
  starts: readonly number[],
): Map<number, DeclId> {
  const byItem = new Map<number, DeclId>();
  let at = 0;
  for (const [index, { id, offset }] of ids.entries()) {
    while ((starts[at] ?? Infinity) < offset) at += 1;
    const start = starts[at];
    if (start === undefined) break;
    const isLast = (ids[index + 1]?.offset ?? Infinity) > start;
    if (isLast && isTrivia(text.slice(offset, start))) byItem.set(start, id);
  }
  return byItem;
}

function startsOf(items: readonly Decl[]): readonly number[] {
  const starts: number[] = [];
  eachItem(items, ({ start }) => starts.push(start));
  return starts.toSorted((a, b) => a - b);
}

const isTrivia = (text: string): boolean => text.split('\n').every(line => /^\s*(?:\/\/.*)?$/.test(line));
