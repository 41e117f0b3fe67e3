import type { Span } from '../language/syntax/ast/span.ts';
import { type LineMap, linesOf } from '../language/syntax/line-map.ts';
import type { TextPosition, TextRange } from './answers.ts';

function placeAt(lines: LineMap, offset: number): TextPosition {
  const { line, column } = lines.position(offset);
  return { line: line - 1, character: column - 1 };
}

export const rangeOf = (module: { readonly text: string }, { start, end }: Span): TextRange => {
  const lines = linesOf(module);
  return { start: placeAt(lines, start), end: placeAt(lines, end) };
};

/** A position after the end of a line becomes that end. */
export function offsetOf(module: { readonly text: string }, { line, character }: TextPosition): number {
  const lines = linesOf(module);
  const start = lines.startOfLine(line + 1);
  const next = line + 2 > lines.lineCount ? module.text.length : lines.startOfLine(line + 2) - 1;
  return Math.min(start + character, Math.max(start, next));
}
