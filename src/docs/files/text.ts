export interface Line {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Only the beginning of a line that is longer than an answer may be. */
  readonly isCut?: true;
}

/** `undefined` when it is no text: it has a NUL byte and no mark of UTF-16. A mark of UTF-8 stays. */
export function decodeText(
  bytes: Uint8Array,
): { readonly text: string; readonly encoding: 'utf-8' | 'utf-16' | 'lossy' } | undefined {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (bytes.length >= 2 && (mark === 0xfffe || mark === 0xfeff))
    return { text: new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes), encoding: 'utf-16' };
  if (bytes.includes(0)) return undefined;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), encoding: 'lossy' };
  }
}

/** At LF and CRLF; a break at the end begins one more line, and no text is one empty line. */
export const splitLines = (text: string): readonly Line[] =>
  text.split(/\r?\n/).map((line, index) => ({ line: index + 1, text: line }));
