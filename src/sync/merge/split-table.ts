import { type LuauToken, scanLuau } from './scan-luau.ts';
import { hasUniqueKeys, type NamedPart } from './split-declarations.ts';

/** A text with one table constructor: the text before its entries, the entries, and the text after them. */
export interface SplitTable {
  readonly head: string;
  /** Each entry ends with its separator and its line. */
  readonly entries: readonly NamedPart[];
  readonly tail: string;
}

/**
 * Splits `name = { … }` into the entries of the table or type, if each entry has a name and does not share its lines. The last entry gets a separator if it
 * has none, so that entries can be added after it. `undefined` for any other text.
 */
export function splitTable(text: string): SplitTable | undefined {
  const table = listEntries(text);
  return table !== undefined && hasUniqueKeys(table.entries) ? table : undefined;
}

/** As `splitTable`, but several entries may have one name. */
export function listEntries(text: string): SplitTable | undefined {
  const tokens = scanLuau(text);
  if (tokens === undefined) return undefined;
  const open = tokens.findIndex(token => token.text === '{' && token.depth === 0);
  const close = tokens.findIndex((token, index) => index > open && token.text === '}' && token.depth === 0);
  const [first, last] = [tokens[open], tokens[close]];
  // Only a table directly after `=` or `return`: the entries of other constructors could be arguments.
  if (first === undefined || last === undefined || !['=', 'return'].includes(tokens[open - 1]?.text ?? ''))
    return undefined;
  const inner = tokens.slice(open + 1, close);
  const from = afterLine(text, first.end);
  if (!last.isFirst || inner[0]?.isFirst !== true) return undefined;
  const entries: NamedPart[] = [];
  let at = from;
  let start = 0;
  for (const [index, token] of inner.entries()) {
    const isSeparator = token.depth === 1 && [',', ';'].includes(token.text);
    if (!isSeparator && index < inner.length - 1) continue;
    const key = entryKey(text, inner.slice(start, index + 1));
    const next = inner[index + 1];
    if (key === undefined || next?.isFirst === false) return undefined;
    const end = afterLine(text, token.end);
    const body = isSeparator ? text.slice(at, end) : `${text.slice(at, token.end)},${text.slice(token.end, end)}`;
    entries.push({ key, text: body, isNamed: true });
    at = end;
    start = index + 1;
  }
  return { head: text.slice(0, from), entries, tail: text.slice(at) };
}

/** The position after the line that contains `at`. */
function afterLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** `name` or `["name"]` of a table, or of a type. */
function entryKey(text: string, entry: readonly LuauToken[]): string | undefined {
  const [first, second] = entry;
  const isNamed = (token: LuauToken | undefined): boolean => token?.text === '=' || token?.text === ':';
  if (first?.kind === 'name') return isNamed(second) ? first.text : undefined;
  const closing = entry.findIndex(token => token.text === ']' && token.depth === 1);
  const end = entry[closing]?.end;
  if (first?.text !== '[' || !isNamed(entry[closing + 1])) return undefined;
  return text.slice(first.start, end);
}
