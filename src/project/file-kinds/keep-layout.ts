/**
 * Replaces the Source in the text of a script file. Keeps the byte-order mark and the line ends of unchanged lines; new lines get the most
 * common line end.
 *
 * @param text   the current text of the file
 * @param source with LF line ends
 */
export function withSource(text: string, source: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = linesOf(text.slice(mark.length));
  const after = linesOf(source);
  const same = (a: Line | undefined, b: Line | undefined): boolean =>
    a !== undefined && b !== undefined && a.text === b.text && (a.end === '') === (b.end === '');
  let head = 0;
  while (head < after.length && same(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && same(before.at(-1 - tail), after.at(-1 - tail)))
    tail += 1;
  const common = commonEnd(before);
  const lines = after.map((line, index) => {
    const kept =
      index < head
        ? before[index]
        : index >= after.length - tail
          ? before[before.length - after.length + index]
          : undefined;
    return line.text + (kept?.end ?? (line.end === '' ? '' : common));
  });
  return mark + lines.join('');
}

interface Line {
  readonly text: string;
  readonly end: '' | '\n' | '\r\n';
}

/** Splits text into lines. A lone CR does not end a line, because it is also kept in the Source. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r?\n/g)) {
    lines.push({ text: text.slice(start, match.index), end: match[0] === '\n' ? '\n' : '\r\n' });
    start = match.index + match[0].length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: '' });
  return lines;
}

function commonEnd(lines: readonly Line[]): '\n' | '\r\n' {
  const crlf = lines.filter(line => line.end === '\r\n').length;
  return crlf * 2 > lines.filter(line => line.end !== '').length ? '\r\n' : '\n';
}
