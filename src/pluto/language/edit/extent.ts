import type { Comment, ParsedModule } from '../syntax/ast/decl.ts';
import type { Span } from '../syntax/ast/span.ts';

type Source = Pick<ParsedModule, 'text' | 'comments'>;

/**
 * The span of an item with its comments: the comment lines right above it, the comment after it, and its whole lines if nothing else is
 * on them. Moving or deleting the item moves or deletes this span.
 */
export function extentOf({ text, comments }: Source, item: Span): Span {
  const lineStart = startOfLine(text, item.start);
  const ownsStart = isBlank(text.slice(lineStart, item.start));
  const start = ownsStart ? startWithComments(text, commentStarts(comments), lineStart) : item.start;
  const behind =
    /^[ \t]*,?[ \t]*(?:\/\/[^\n]*)?/.exec(text.slice(item.end, endOfLine(text, item.end)))?.[0].length ?? 0;
  const end = item.end + behind;
  const lineEnd = endOfLine(text, end);
  if (!ownsStart || !isBlank(text.slice(end, lineEnd))) return { start, end: item.end };
  return { start, end: Math.min(lineEnd + 1, text.length) };
}

/**
 * Computes extents of the items of a text: the item with the comment lines directly above it and the comment after it, which belong to it.
 */
export function withComments({ text, comments }: Source): (item: Span) => Span {
  const starts = commentStarts(comments);
  return item => {
    const lineStart = startOfLine(text, item.start);
    const rest = text.slice(item.end, endOfLine(text, item.end)).trimEnd();
    const hasComment = starts.has(item.end + rest.length - rest.trimStart().length);
    const end = hasComment ? item.end + rest.length : item.end;
    if (!isBlank(text.slice(lineStart, item.start))) return { start: item.start, end };
    const first = startWithComments(text, starts, lineStart);
    return { start: first === lineStart ? item.start : first, end };
  };
}

const commentStarts = (comments: readonly Comment[]): ReadonlySet<number> =>
  new Set(comments.map(({ start }) => start));

/** Moves up over lines that only have a comment. */
function startWithComments(text: string, starts: ReadonlySet<number>, from: number): number {
  let start = from;
  while (start > 0) {
    const above = startOfLine(text, start - 1);
    const indent = /^[ \t]*/.exec(text.slice(above, start))?.[0].length ?? 0;
    if (!starts.has(above + indent)) return start;
    start = above;
  }
  return start;
}

/** The first line starts at 0, even if a line end is there: searching back from -1 would find it. */
export const startOfLine = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;

/** The offset of the `\n`, or the end of the text. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

export const isBlank = (text: string): boolean => text.trim() === '';
