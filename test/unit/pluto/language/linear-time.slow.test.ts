import { test } from 'node:test';
import { hintsOf } from '../../../../src/pluto/language/identity/hints.ts';
import { parseModule } from '../../../../src/pluto/language/syntax/parse.ts';
import { assertLinearTime } from '../../../harness/linear-time.ts';

test('reads strings without escapes in linear time', () => {
  assertLinearTime(40_000, size => `fn f() {\n${'  g("abc")\n'.repeat(size)}}\n`, parseModule);
});

test('reads comments in interpolations of one line in linear time', () => {
  assertLinearTime(20_000, size => `fn f() { g(${'f"{a//}", '.repeat(size)}) }`, parseModule);
});

test('reads the hints above one declaration in linear time', () => {
  const hint = '// @uuid: 00000000-0000-8000-8000-000000000000\n';
  assertLinearTime(2000, size => parseModule(`${hint.repeat(size)}fn f() {}\n`), hintsOf);
});
