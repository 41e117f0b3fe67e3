/**
 * One line without control characters, which could move the cursor or forge lines: names and sources come from other people. Tabs become
 * spaces, and every other control, line separator or direction mark becomes its code point.
 */
export const printable = (text: string): string =>
  text.replaceAll('\t', '    ').replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters are what must be replaced
    /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    char => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** Cuts or pads the text to exactly `width` characters. */
export function fit(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text + ' '.repeat(width - characters.length);
  return width <= 1 ? '…'.slice(0, width) : `${characters.slice(0, width - 1).join('')}…`;
}

/** Breaks a text into lines of at most `width` characters, at spaces where possible. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of printable(paragraph).split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (joined.length <= width) line = joined;
      else {
        if (line !== '') lines.push(line);
        line = fit(word, width).trimEnd();
      }
    }
    lines.push(line);
  }
  return lines;
}
