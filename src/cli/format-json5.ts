import { isDeepStrictEqual } from 'node:util';
import { format } from 'jsonc-parser';
import { ok, type Result } from '../base/result.ts';
import { exactJsonValue, type JsonProblem, parseJsonDocument } from '../roblox/formats/json5-document.ts';

/** Formats a JSON5 document with two spaces per level and one member per line. Changes only white space between tokens. */
export function formatJson5(text: string): Result<string, JsonProblem> {
  const before = parseJsonDocument(text);
  if (!before.ok) return before;
  // The formatter only supports JSON with comments, so each string, name and number of JSON5 is replaced with the string of its index.
  const originals: string[] = [];
  const plain = text.replaceAll(tokens, (token: string) =>
    isComment(token) ? token : `"${originals.push(token) - 1}"`,
  );
  const options = { tabSize: 2, insertSpaces: true, eol: '\n', insertFinalNewline: true };
  const edits = format(plain, undefined, options);
  const formatted = edits
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (whole, { offset, length, content }) => whole.slice(0, offset) + content + whole.slice(offset + length),
      plain,
    );
  const changed = formatted.replaceAll(tokens, (token: string) =>
    isComment(token) ? token : (originals[Number(token.slice(1, -1))] ?? token),
  );
  const after = parseJsonDocument(changed);
  // Checked, so that a mistake of the formatter cannot change the meaning of the file.
  const isSame =
    after.ok &&
    isDeepStrictEqual(exactJsonValue(after.value.root), exactJsonValue(before.value.root)) &&
    withoutWhiteSpace(changed) === withoutWhiteSpace(text);
  return ok(isSame ? changed : text);
}

/** Comments, strings, names and numbers. */
const tokens =
  /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[^\s{}[\]:,"'/]+/g;
const isComment = (token: string): boolean => token.startsWith('/');

const withoutWhiteSpace = (text: string): string => text.replaceAll(/\s/g, '');
