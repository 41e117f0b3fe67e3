import { test } from 'node:test';
import { parseFloat64 } from '../../../../../src/pluto/program/runtime/values/floats.ts';
import { stringMethods } from '../../../../../src/pluto/program/runtime/values/strings.ts';
import { assertLinearTime } from '../../../../harness/linear-time.ts';

const SIZE = 100_000;

test('trims a text with many inner spaces in linear time', () => {
  assertLinearTime(SIZE, size => `a${' '.repeat(size)}b`, stringMethods.trim);
  assertLinearTime(SIZE, size => `a${' '.repeat(size)}b`, stringMethods.trim_end);
});

test('parses no float from a long text in linear time', () => {
  assertLinearTime(SIZE, size => `1${' '.repeat(size)}x`, parseFloat64);
  assertLinearTime(SIZE, size => `${'1'.repeat(size)}x`, parseFloat64);
  assertLinearTime(SIZE, size => `0x${'f'.repeat(size)}x`, parseFloat64);
});
