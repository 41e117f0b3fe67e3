import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../../src/pluto/program/runtime/values/failures.ts';
import { formatFloat, parseFloat64, roundHalfAway } from '../../../../../src/pluto/program/runtime/values/floats.ts';
import {
  divide,
  intOfFloat,
  parseInt64,
  power,
  remainder,
  shiftLeft,
  shiftRight,
} from '../../../../../src/pluto/program/runtime/values/ints.ts';
import { compactInts } from '../../../../../src/pluto/program/runtime/values/compact-ints.ts';

const int = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.bigInt(-9n, 9n),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n),
);
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

test('wraps integers at 64 bits', () => {
  fc.assert(
    fc.property(int, int, (a, b) => {
      assert.equal(shiftLeft(a, b), wrap(a << (b & 63n)));
      assert.equal(shiftRight(a, b), a >> (b & 63n));
    }),
  );
});

test('computes like 64-bit integers with numbers, which are used for all safe integers', () => {
  const { compact, wide, ...ints } = compactInts;
  const edge = fc.bigInt(-9n, 9n).chain(by => fc.constantFrom(2n ** 31n + by, 2n ** 53n + by, -(2n ** 53n) + by));
  const isCompact = (value: unknown): boolean =>
    typeof value === 'bigint'
      ? !Number.isSafeInteger(Number(value))
      : Number.isSafeInteger(value) && !Object.is(value, -0);
  fc.assert(
    fc.property(fc.oneof(int, edge), fc.oneof(int, edge), (a, b) => {
      const [x, y] = [compact(a), compact(b)];
      const results = [
        [ints.add(x, y), a + b],
        [ints.sub(x, y), a - b],
        [ints.mul(x, y), a * b],
        [ints.and(x, y), a & b],
        [ints.or(x, y), a | b],
        [ints.xor(x, y), a ^ b],
        [ints.not(x), ~a],
        [ints.shl(x, y), a << (b & 63n)],
        [ints.shr(x, y), a >> (b & 63n)],
        [ints.abs(x), a < 0n ? -a : a],
      ] as const;
      for (const [found, expected] of results) {
        assert.equal(wide(found), wrap(expected));
        assert.ok(isCompact(found), String(found));
      }
    }),
    { numRuns: 1000 },
  );
});

test('truncates division, and fails when there is no result', () => {
  fc.assert(
    fc.property(int, int, (a, b) => {
      if (b === 0n || (b === -1n && a === -(2n ** 63n))) {
        assert.throws(() => divide(a, b), Failure);
        assert.throws(() => remainder(a, b), Failure);
      } else assert.equal(divide(a, b) * b + remainder(a, b), a);
    }),
  );
  assert.equal(divide(-7n, 2n), -3n);
  assert.equal(remainder(-7n, 2n), -1n);
});

test('wraps powers like products', () => {
  fc.assert(
    fc.property(int, fc.integer({ min: 0, max: 70 }), (base, exponent) =>
      assert.equal(power(base, BigInt(exponent)), wrap(base ** BigInt(exponent))),
    ),
  );
});

test('truncates and clamps floats in casts', () => {
  const floats = [2.9, -2.9, -0.5, Number.NaN, 1e300, -1e300];
  const ints = [2n, -2n, 0n, 0n, 2n ** 63n - 1n, -(2n ** 63n)];
  assert.deepEqual(floats.map(intOfFloat), ints);
  assert.deepEqual(floats.map(compactInts.ofFloat), ints.map(compactInts.compact));
});

test('prints floats like %.15g in C', () => {
  const file = new URL('../../../../fixtures/pluto/float-texts.json', import.meta.url);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly [string, string])[];
  for (const [value, text] of texts) assert.equal(formatFloat(Number(value)), text, value);
  assert.deepEqual([Infinity, -Infinity, Number.NaN].map(formatFloat), ['inf', '-inf', 'nan']);
});

test('reads printed floats back to 15 digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), value => {
      const back = parseFloat64(formatFloat(value));
      assert.ok(
        back !== null && (back === value || Math.abs(back - value) <= Math.abs(value) * 1e-14),
        formatFloat(value),
      );
    }),
  );
});

test('parses numbers like C, and only whole texts', () => {
  const ints = [' 42 ', '-7', '+5', '9223372036854775808', '', ' ', '4x', '0x10', '1.5'];
  assert.deepEqual(ints.map(parseInt64), [42n, -7n, 5n, 2n ** 63n - 1n, null, null, null, null, null]);
  const floats = ['1.5', ' .5 ', '5.', '1e3', 'inf', '-Infinity', '0x1.8p1', '0x10', '', '1.5x', '.', '0x'];
  assert.deepEqual(floats.map(parseFloat64), [1.5, 0.5, 5, 1000, Infinity, -Infinity, 3, 16, null, null, null, null]);
  assert.ok(Number.isNaN(parseFloat64('nan')));
});

test('rounds halves away from zero', () => {
  assert.deepEqual([0.5, -0.5, 2.5, 2.4, -2.6, 0.49999999999999994].map(roundHalfAway), [1, -1, 3, 2, -3, 0]);
});
