import { parse, TomlDate, TomlError } from 'smol-toml';
import { DecodeBudget, DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';
import { TEXT_FILE_LIMITS } from './limits.ts';
import type { JsonProblem } from './json5-document.ts';

/**
 * Reads a TOML file as plain objects, arrays, strings, numbers and booleans. Dates and times become strings in TOML's own spelling, to the
 * millisecond; whole numbers beyond 2^53 lose digits, as they do in JSON.
 */
export function readToml(text: string): Result<unknown, JsonProblem> {
  const budgeted = withinBudget(text);
  if (!budgeted.ok) return budgeted;
  try {
    return ok(plain(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH }), 0));
  } catch (error) {
    if (error instanceof DecodeBudgetError) return err({ line: 1, column: 1, expected: error.message });
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '');
    return err({ line: error.line, column: error.column, expected: `valid TOML (${what})` });
  }
}

/** Counts the marks that precede values, before the library creates any value. */
function withinBudget(text: string): Result<void, JsonProblem> {
  try {
    const budget = new DecodeBudget(TEXT_FILE_LIMITS, text.length);
    for (const _ of text.matchAll(/[=,[{.]/g)) budget.take();
    return ok(undefined);
  } catch (error) {
    if (!(error instanceof DecodeBudgetError)) throw error;
    return err({ line: 1, column: 1, expected: error.message });
  }
}

function plain(value: unknown, depth: number): unknown {
  // A dotted key nests without a bracket, and the library limits only brackets.
  if (depth > MAX_DEPTH) throw new DecodeBudgetError('depth', TEXT_FILE_LIMITS);
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof TomlDate)
    return value.toISOString().replace(/\.(\d*?)0+(?!\d)/, (_, kept) => kept && `.${kept}`);
  if (Array.isArray(value)) return value.map(item => plain(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, depth + 1)]));
}
