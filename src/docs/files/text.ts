export interface Line {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Set if the line is longer than the answer limit and `text` is only its beginning. */
  readonly isCut?: true;
}

/** Decodes text; `undefined` for binary data, that is a NUL byte without a UTF-16 byte order mark. Keeps a UTF-8 byte order mark. */
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

/** Splits at LF and CRLF. A line break at the end starts one more line; empty text is one empty line. */
export const splitLines = (text: string): readonly Line[] =>
  text.split(/\r?\n/).map((line, index) => ({ line: index + 1, text: line }));
