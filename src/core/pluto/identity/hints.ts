import type { Decl, ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { eachItem } from '../syntax/parts.ts';
import { isDeclId } from './ids.ts';

const HINT = /^\/\/ @uuid: (\S+)\s*$/;

/** The comment line that carries the id of the item below it. */
export const hintComment = (id: DeclId): string => `// @uuid: ${id}`;

/** The id in a comment, where that is a hint. */
export function idInComment(comment: string): DeclId | undefined {
  const id = HINT.exec(comment)?.[1]?.toLowerCase();
  return id !== undefined && isDeclId(id) ? id : undefined;
}

/** The ids that comments give to the items which start below them, by the start of the item. Of two for one item the last counts. */
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
    // Only comments may stand between a hint and its item.
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
