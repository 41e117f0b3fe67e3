import { parse, TomlDate, TomlError } from 'smol-toml';
import { err, ok, type Result } from '../../base/result.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';
import type { JsonProblem } from './json5-document.ts';

/**
 * Reads a TOML file as plain objects, arrays, strings, numbers and booleans. Dates and times become strings in TOML's own spelling, to the
 * millisecond; whole numbers beyond 2^53 lose digits, as they do in JSON.
 */
export function readToml(text: string): Result<unknown, JsonProblem> {
  try {
    return ok(plain(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH })));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '');
    return err({ line: error.line, column: error.column, expected: `valid TOML (${what})` });
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof TomlDate)
    return value.toISOString().replace(/\.(\d*?)0+(?!\d)/, (_, kept) => kept && `.${kept}`);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
