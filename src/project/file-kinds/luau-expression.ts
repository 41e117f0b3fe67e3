import { compareByteOrder } from '../../base/byte-order.ts';

/**
 * Prints a value of a data file as a Luau expression, one line per entry. Entries of an object are in byte order of their keys. Entries of
 * a `Map`, whose keys are strings, numbers or booleans, keep their order.
 */
export function luauExpression(value: unknown, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return luauNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `{${value.map(item => luauExpression(item, depth)).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return 'nil';
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? Array.from(value) : Object.entries(value).sort(([a], [b]) => compareByteOrder(a, b));
  const lines = entries.map(
    ([key, item]) => `${'\t'.repeat(depth + 1)}${luauKey(key)} = ${luauExpression(item, depth + 1)},\n`,
  );
  return `{\n${lines.join('')}${'\t'.repeat(depth)}}`;
}

// The keywords of Lua 5.1. `continue` is a valid name in Luau.
const keywords = new Set(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);
const luauKey = (key: unknown): string =>
  typeof key === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !keywords.has(key)
    ? key
    : `[${luauExpression(key)}]`;
const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const quoted = (text: string): string => `"${text.replace(/["\\\n\r\t]/g, char => escapes[char] ?? char)}"`;

/** Prints a number with the fewest digits that round-trip, without an exponent. */
function luauNumber(value: number): string {
  if (Number.isNaN(value)) return '0/0';
  if (!Number.isFinite(value)) return value > 0 ? 'math.huge' : '-math.huge';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
