import { endOfLine, isBlank, startOfLine, withComments } from '../edit/extent.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { Span } from '../syntax/ast/span.ts';

/** Comment lines at the top level of a module that belong to no declaration, in blocks that no empty line or code separates. */
export interface FreeComment extends Span {
  /** Without indentation and line ends, so that equal modules have equal comments. */
  readonly text: string;
}

/** In source order. A span starts with its line and ends before the line end. */
export function freeComments(module: Pick<ParsedModule, 'text' | 'tree' | 'comments'>): readonly FreeComment[] {
  const { text, tree, comments } = module;
  const owned = tree.items.map(withComments(module));
  const spans: { start: number; end: number }[] = [];
  let at = 0;
  for (const comment of comments) {
    for (let own = owned[at]; own !== undefined && own.end <= comment.start; own = owned[at]) at += 1;
    if ((owned[at]?.start ?? text.length) <= comment.start) continue;
    const lineStart = startOfLine(text, comment.start);
    const start = isBlank(text.slice(lineStart, comment.start)) ? lineStart : comment.start;
    const end = endOfLine(text, comment.end);
    const last = spans.at(-1);
    if (last !== undefined && last.end + 1 === start) last.end = end;
    else spans.push({ start, end });
  }
  return spans.map(({ start, end }) => ({ start, end, text: normalized(text.slice(start, end)) }));
}

const normalized = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .join('\n');

/** The number of occurrences of each text. */
export function countOf(texts: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The number of comments that only one of two modules has. */
export function differingComments(
  a: Parameters<typeof freeComments>[0],
  b: Parameters<typeof freeComments>[0],
): number {
  const [inA, inB] = [a, b].map(module => countOf(freeComments(module).map(({ text }) => text)));
  const all = new Set([...(inA?.keys() ?? []), ...(inB?.keys() ?? [])]);
  return Array.from(all).reduce((sum, text) => sum + Math.abs((inA?.get(text) ?? 0) - (inB?.get(text) ?? 0)), 0);
}
