import { endOfLine, extentOf, isBlank, startOfLine } from '../../language/edit/extent.ts';
import { lineEndOf, type TextEdit } from '../../language/edit/text-edit.ts';
import type { MakeId } from '../../language/identity/ids.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { countOf, type FreeComment, freeComments } from '../../language/pt/free-comments.ts';
import type { ParsedModule } from '../../language/syntax/ast/decl.ts';
import { isItem } from '../../language/syntax/parts.ts';
import { changedModule } from '../changed-module.ts';

export interface CommentSides {
  readonly view: ParsedModule;
  /** Before the merge. */
  readonly container: ParsedModule;
  /** How often each comment occurred when the view was generated. `undefined`: unknown, so no comment is treated as deleted. */
  readonly base: ((text: string) => number) | undefined;
}

/**
 * Merges the comments between declarations, which no decision covers: adds comments of the view, removes comments that only the view
 * deleted, and keeps the others.
 */
export function mergeComments(merged: LoadedModule, sides: CommentSides, makeId: MakeId): LoadedModule {
  const { module } = merged;
  const ofView = freeComments(sides.view);
  const here = freeComments(module);
  const inView = countOf(ofView.map(({ text }) => text));
  const inContainer = countOf(freeComments(sides.container).map(({ text }) => text));
  const missing = new Map(countOf(here.map(({ text }) => text)));
  for (const text of new Set([...inView.keys(), ...missing.keys()])) {
    const now = missing.get(text) ?? 0;
    const wanted = merge(inView.get(text) ?? 0, inContainer.get(text) ?? 0, sides.base?.(text) ?? 0);
    // One side may have attached it to a declaration, and the merge took that declaration from the other side.
    const isOnBothSides = (): boolean =>
      occurrencesOf(sides.view, text) > 0 && occurrencesOf(sides.container, text) > 0;
    missing.set(text, (wanted === 0 && occurrencesOf(module, text) === now && isOnBothSides() ? 1 : wanted) - now);
  }
  // From the end, so that the first of several equal comments stays.
  const added = new Set(takeLast(ofView, text => missing.get(text) ?? 0));
  const removed = new Set(takeLast(here, text => -(missing.get(text) ?? 0)));
  if (added.size + removed.size === 0) return merged;
  const kept = here.filter(comment => !removed.has(comment));
  const edits = [...insertions(module, kept, sides.view, ofView, added), ...removals(module.text, Array.from(removed))];
  return changedModule({ before: merged, edits, makeId });
}

/** How often the merge result has a comment, by its count on each side and in the base. */
function merge(view: number, container: number, base: number): number {
  if (view >= base && container >= base) return Math.max(view, container);
  if (view <= base && container <= base) return Math.min(view, container);
  return Math.max(0, view + container - base);
}

/** How often the lines occur as consecutive comments anywhere. */
function occurrencesOf({ text, comments }: ParsedModule, sought: string): number {
  const line = (one: string): string => `\n${one.trim()}\n`;
  const all = comments.map(({ start, end }) => line(text.slice(start, end))).join('');
  return all.split(sought.split('\n').map(line).join('')).length - 1;
}

function takeLast(comments: readonly FreeComment[], howMany: (text: string) => number): readonly FreeComment[] {
  const taken = new Map<string, number>();
  return comments
    .toReversed()
    .filter(({ text }) => {
      const before = taken.get(text) ?? 0;
      taken.set(text, before + 1);
      return before < howMany(text);
    })
    .toReversed();
}

/** Inserts each comment behind its nearest predecessor in the view that exists here, or at the top, with blank lines around it. */
function insertions(
  module: ParsedModule,
  kept: readonly FreeComment[],
  view: ParsedModule,
  ofView: readonly FreeComment[],
  added: ReadonlySet<FreeComment>,
): readonly TextEdit[] {
  const { text, tree } = module;
  const endsById = new Map(tree.items.filter(isItem).map(item => [item.id, extentOf(module, item).end]));
  const endsByText = new Map(
    kept.map(comment => [comment.text, Math.min(comment.end + 1, text.length)] as const).toReversed(),
  );
  const inOrder = [
    ...view.tree.items.filter(isItem).map(item => ({ start: item.start, end: endsById.get(item.id) })),
    ...ofView.map(comment => ({
      start: comment.start,
      ...(added.has(comment) ? { comment } : { end: endsByText.get(comment.text) }),
    })),
  ].toSorted((a, b) => a.start - b.start);
  const blocks = new Map<number, string[]>();
  let at = 0;
  for (const one of inOrder) {
    if ('comment' in one) blocks.set(at, [...(blocks.get(at) ?? []), one.comment.text]);
    else at = one.end ?? at;
  }
  return Array.from(blocks, ([offset, texts]) => ({
    span: { start: offset, end: offset },
    text: between(text, offset, texts),
  }));
}

function between(text: string, offset: number, comments: readonly string[]): string {
  const eol = lineEndOf(text);
  const block = comments.join('\n\n').replaceAll('\n', eol);
  const isLineStart = offset === 0 || text.charCodeAt(offset - 1) === 10;
  const above = offset === 0 ? '' : isLineStart ? eol : eol + eol;
  const isLast = offset === text.length;
  const below = isLast || isBlank(text.slice(offset, endOfLine(text, offset))) ? '' : eol;
  return `${above}${block}${eol}${below}`;
}

/** Removes each comment with its line end and one of the two blank lines around it. */
function removals(text: string, comments: readonly FreeComment[]): readonly TextEdit[] {
  let at = 0;
  return comments.map(({ start, end }) => {
    const below = Math.min(end + 1, text.length);
    const above = startOfLine(text, Math.max(0, start - 1));
    const hasBlankAbove = start === 0 || isBlank(text.slice(above, start));
    const next = endOfLine(text, below);
    const isLast = below === text.length;
    const hasBlankBelow = !isLast && isBlank(text.slice(below, next));
    // At the end of the file the blank line above separates nothing.
    const from = hasBlankAbove && isLast ? Math.max(at, above) : start;
    at = hasBlankAbove && hasBlankBelow ? Math.min(next + 1, text.length) : below;
    return { span: { start: from, end: at }, text: '' };
  });
}
