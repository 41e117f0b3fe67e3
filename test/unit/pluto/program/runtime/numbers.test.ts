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
import { add, cast, multiply, negate, subtract } from '../../../../../src/pluto/program/runtime/values/operators.ts';

const int = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.bigInt(-9n, 9n),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n),
);
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

test('wraps integers at 64 bits', () => {
  fc.assert(
    fc.property(int, int, (a, b) => {
      assert.equal(add(a, b), wrap(a + b));
      assert.equal(subtract(a, b), wrap(a - b));
      assert.equal(multiply(a, b), wrap(a * b));
      assert.equal(negate(a), wrap(-a));
      assert.equal(shiftLeft(a, b), wrap(a << (b & 63n)));
      assert.equal(shiftRight(a, b), a >> (b & 63n));
    }),
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

test('truncates and clamps floats in casts, and keeps the low 8 bits for bytes', () => {
  assert.deepEqual([2.9, -2.9, Number.NaN, 1e300, -1e300].map(intOfFloat), [2n, -2n, 0n, 2n ** 63n - 1n, -(2n ** 63n)]);
  assert.equal(String(cast(cast(-1n, 'byte'), 'int')), '255');
  assert.deepEqual([cast(7n, 'bool'), cast(0, 'bool'), cast(true, 'int'), cast(3n, 'float')], [true, false, 1n, 3]);
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
