/** The text with LF in place of CRLF. A lone CR stays: it ends no line of a script. */
export const withUnixLineEnds = (text: string): string =>
  text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;

/** The text without a byte-order mark and with LF in place of CRLF. */
export const plainText = (text: string): string => withUnixLineEnds(text.replace(/^\uFEFF/, ''));

/** Whether two texts are the same except for their line ends: files keep their own, and Studio may have others. */
export const areTextsEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' && withUnixLineEnds(a) === withUnixLineEnds(b));
