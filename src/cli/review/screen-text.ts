import { safeTerminalLine } from '../../base/safe-text.ts';

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
    for (const word of safeTerminalLine(paragraph).split(' ')) {
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
