import type { Span } from '../syntax/ast/span.ts';

/** Replaces a span of the text before all edits of the list. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Applies all edits at once. Two insertions at one position keep their order. @throws RangeError if two overlap or one is out of range */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { span, text: replacement } of edits.toSorted((a, b) => a.span.start - b.span.start)) {
    if (span.start < at || span.end < span.start || span.end > text.length)
      throw new RangeError(`an edit of ${span.start} to ${span.end} overlaps another one or leaves the text`);
    pieces.push(text.slice(at, span.start), replacement);
    at = span.end;
  }
  return pieces.join('') + text.slice(at);
}

/** The line end of a text: that of its first line. */
export const lineEndOf = (text: string): '\n' | '\r\n' => {
  const first = text.indexOf('\n');
  return first > 0 && text.charCodeAt(first - 1) === 13 ? '\r\n' : '\n';
};
