import { isDeepStrictEqual } from 'node:util';
import { format } from 'jsonc-parser';
import { ok, type Result } from '../base/result.ts';
import { exactJsonValue, type JsonProblem, parseJsonDocument } from '../roblox/formats/json5-document.ts';

/** The text of a JSON5 document with two spaces per level and one member per line. Changes only white space between tokens. */
export function layOutJson5(text: string): Result<string, JsonProblem> {
  const before = parseJsonDocument(text);
  if (!before.ok) return before;
  // The formatter knows JSON with comments, so it gets a string in the place of each string, name and number of JSON5.
  const inks: string[] = [];
  const plain = text.replaceAll(tokens, (token: string) => (isComment(token) ? token : `"${inks.push(token) - 1}"`));
  const options = { tabSize: 2, insertSpaces: true, eol: '\n', insertFinalNewline: true };
  const edits = format(plain, undefined, options);
  const laidOut = edits
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (whole, { offset, length, content }) => whole.slice(0, offset) + content + whole.slice(offset + length),
      plain,
    );
  const changed = laidOut.replaceAll(tokens, (token: string) =>
    isComment(token) ? token : (inks[Number(token.slice(1, -1))] ?? token),
  );
  const after = parseJsonDocument(changed);
  // Whatever the formatter does, the file keeps its meaning.
  const isSame =
    after.ok &&
    isDeepStrictEqual(exactJsonValue(after.value.root), exactJsonValue(before.value.root)) &&
    inked(changed) === inked(text);
  return ok(isSame ? changed : text);
}

/** Comments, strings, and what is neither space nor punctuation. */
const tokens =
  /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[^\s{}[\]:,"'/]+/g;
const isComment = (token: string): boolean => token.startsWith('/');

const inked = (text: string): string => text.replaceAll(/\s/g, '');
