import { withUnixLineEnds } from '../../base/line-ends.ts';
/**
 * Replaces the Source in the text of a script file. Keeps the byte-order mark and the line ends of unchanged lines; new lines get the most
 * common line end. Never holds all lines, because a text has up to 64 MB.
 *
 * @param text   the current text of the file
 * @param source with LF line ends
 */
export function withSource(text: string, source: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = text.slice(mark.length);
  if (!before.includes('\r\n')) return mark + withUnixLineEnds(source);
  const head = equalHead(before, source);
  const tail = equalTail(before, source, head);
  const changed = source.slice(head.after, tail.after).replaceAll(/\r?\n/g, commonEnd(before));
  return mark + before.slice(0, head.before) + changed + before.slice(tail.before);
}

/** The same line boundary in both texts. */
interface Boundary {
  readonly before: number;
  readonly after: number;
}

/** The end of the first lines that both texts have. Lines with different line ends are equal. */
function equalHead(before: string, after: string): Boundary {
  let at: Boundary = { before: 0, after: 0 };
  while (at.before < before.length && at.after < after.length) {
    const next = { before: endOfLine(before, at.before), after: endOfLine(after, at.after) };
    if (!isEqual(before.slice(at.before, next.before), after.slice(at.after, next.after))) break;
    at = next;
  }
  return at;
}

/** The start of the last lines that both texts have behind `head`. */
function equalTail(before: string, after: string, head: Boundary): Boundary {
  let at: Boundary = { before: before.length, after: after.length };
  while (at.before > head.before && at.after > head.after) {
    const next = { before: startOfLine(before, at.before), after: startOfLine(after, at.after) };
    if (!isEqual(before.slice(next.before, at.before), after.slice(next.after, at.after))) break;
    at = next;
  }
  return at;
}

/** A lone CR does not end a line, because it is also kept in the Source. */
function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end + 1;
}

/** The start of the line that ends at `end`. */
const startOfLine = (text: string, end: number): number => (end < 2 ? 0 : text.lastIndexOf('\n', end - 2) + 1);

const isEqual = (a: string, b: string): boolean => a === b || withoutReturn(a) === withoutReturn(b);

const withoutReturn = (line: string): string => (line.endsWith('\r\n') ? `${line.slice(0, -2)}\n` : line);

function commonEnd(text: string): '\n' | '\r\n' {
  let [crlf, all] = [0, 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all += 1;
    if (text[at - 1] === '\r') crlf += 1;
  }
  return crlf * 2 > all ? '\r\n' : '\n';
}
