import type { Value } from '../contract.ts';
import { isEqual } from './values/equality.ts';
import { fail } from './values/failures.ts';
import { textOf } from './values/text-of.ts';

const shown = (value: Value): string => (typeof value === 'string' ? `"${value}"` : textOf(value));

/** @param line of the assertion, from 1 @throws Failure */
export function expectEqual(actual: Value, expected: Value, line: number): void {
  if (!isEqual(actual, expected)) fail(`FAIL (line ${line}): expected ${shown(actual)} to equal ${shown(expected)}`);
}

/** @throws Failure */
export function expectTrue(actual: Value, line: number): void {
  if (actual !== true) fail(`FAIL (line ${line}): expected true but got false`);
}

/** @throws Failure */
export function expectFalse(actual: Value, line: number): void {
  if (actual !== false) fail(`FAIL (line ${line}): expected false but got true`);
}
