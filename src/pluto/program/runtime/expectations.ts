import type { Value } from '../backend/contract.ts';
import { isEqual } from './values/equality.ts';
import { fail } from './values/failures.ts';
import { textOf } from './values/text-of.ts';

/** Shows floats with six decimals, or with all digits if two different floats would look equal. */
function shown(value: Value, other: Value): string {
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value !== 'number' || typeof other !== 'number' || !Number.isFinite(value)) return textOf(value);
  const short = value.toFixed(6);
  return value !== other && short === other.toFixed(6) ? String(value) : short;
}

/** @param line 1-based line of the assertion @throws Failure */
export function expectEqual(actual: Value, expected: Value, line: number): void {
  if (isEqual(actual, expected)) return;
  fail(`FAIL (line ${line}): expected ${shown(actual, expected)} to equal ${shown(expected, actual)}`);
}

/** @throws Failure */
export function expectTrue(actual: Value, line: number): void {
  if (actual !== true) fail(`FAIL (line ${line}): expected true but got false`);
}

/** @throws Failure */
export function expectFalse(actual: Value, line: number): void {
  if (actual !== false) fail(`FAIL (line ${line}): expected false but got true`);
}
