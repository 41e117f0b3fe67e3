/**
 * The start of the word before an offset; the offset itself if there is none. A loop, because an expression for the end of a text takes
 * quadratic time in a long word, such as an embedded file.
 */
export function startOfWord(text: string, offset: number, character = /\w/): number {
  let start = offset;
  while (start > 0 && character.test(text.charAt(start - 1))) start -= 1;
  return start;
}
