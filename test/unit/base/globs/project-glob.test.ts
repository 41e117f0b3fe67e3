import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { threadCpuTime } from '../../../../scripts/bench/cpu-time.ts';
import { compileGlob } from '../../../../src/base/globs/glob.ts';

function matches(glob: string, path: string): boolean {
  const compiled = compileGlob(glob, 'paths');
  assert.ok(compiled.ok, glob);
  return compiled.value(path);
}

test('matches as Rojo does when a project file has the glob', () => {
  const paths = ['a.txt', 'd/a.txt', 'd/e/a.txt', 'd'];
  const table: Readonly<Record<string, readonly boolean[]>> = {
    '*.txt': [true, true, true, false],
    'd/*.txt': [false, true, true, false],
    '**/*.txt': [true, true, true, false],
    'd/**': [false, true, true, false],
    d: [false, false, false, true],
    '**/e/**': [false, false, true, false],
    '?.txt': [true, false, false, false],
    'd?a.txt': [false, true, false, false],
    '**': [true, true, true, true],
    'd/**/a.txt': [false, true, true, false],
    '{a,b}.txt': [true, false, false, false],
    '[!b].txt': [true, false, false, false],
    '[a-c].t{xt,{o,x}}': [true, false, false, false],
    '\\*.txt': [false, false, false, false],
  };
  for (const [glob, expected] of Object.entries(table))
    assert.deepEqual(
      paths.map(path => matches(glob, path)),
      expected,
      glob,
    );
  assert.ok(matches('[]x].txt', '].txt') && matches('a[b-]', 'a-') && matches('.*', '.git'));
});

test('matches a class of any characters', () => {
  const specials = Array.from('~&|^$.*+?(){}<>=!@#%,;:"\'`');
  for (const char of specials) {
    assert.ok(matches(`[a${char}]x`, `${char}x`), char);
    assert.ok(!matches(`[!a${char}]x`, `${char}x`), char);
  }
  assert.ok(matches('[a&&b]', '&'));
});

test('reads each side of {a,b} as a whole glob', () => {
  assert.deepEqual(
    ['x', 'a/x', 'a/b/x', 'y', 'a/y'].map(path => matches('{**/x,y}', path)),
    [true, true, true, true, false],
  );
  assert.deepEqual(
    ['a', 'a/x', 'b', 'b/x'].map(path => matches('{b,a/**}', path)),
    [false, true, true, false],
  );
  assert.ok(matches('{x,**}', 'any/thing'));
});

test('says what is missing when the glob is invalid', () => {
  for (const [glob, expected] of [
    ['a[', '"]"'],
    ['{a', '"}"'],
    ['a\\', 'after the last'],
    ['[z-a]', 'ascending order'],
  ] as const) {
    const compiled = compileGlob(glob, 'paths');
    assert.ok(!compiled.ok && compiled.error.includes(expected), glob);
  }
});

test('matches only the path itself when every character is escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (path, other) => {
      const glob = Array.from(path, char => `\\${char}`).join('');
      assert.ok(matches(glob, path));
      assert.equal(matches(glob, other), other === path);
    }),
  );
});

test('takes linear time when the glob of a project file is hostile', () => {
  const began = threadCpuTime();
  assert.equal(matches('*a'.repeat(200) + 'b', 'a'.repeat(2000)), false);
  assert.equal(matches('{a,aa}'.repeat(40) + 'b', 'a'.repeat(60)), false);
  assert.equal(matches('**/'.repeat(200) + 'b', 'a/'.repeat(2000) + 'c'), false);
  assert.equal(matches('{*a,'.repeat(90) + 'b' + '}'.repeat(90), 'c'), false);
  assert.ok(threadCpuTime() - began < 2000);
});
