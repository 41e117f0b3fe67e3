/** Characters of a name that a message shows. */
const MAX_SHOWN = 80;

/** Controls, line separators, and characters that reorder or hide text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;

/** Makes a name from outside harmless in a message: one line, no links or formatting, no reordered text, at most 80 characters. */
export function inertText(text: string): string {
  const plain = text
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(/[[\]()<>`*_\\$]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const shown = Array.from(plain);
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN).join('')}…` : plain;
}
