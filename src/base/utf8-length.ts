/** Returns the bytes of a text in UTF-8, without encoding it. A lone surrogate counts 3, as the replacement character does. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    // A character of two UTF-16 units.
    if (code >= 0x10000) at += 1;
  }
  return bytes;
}
