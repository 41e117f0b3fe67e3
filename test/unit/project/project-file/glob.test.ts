import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileGlob } from '../../../../src/project/project-file/glob.ts';

function matches(glob: string, path: string): boolean {
  const compiled = compileGlob(glob);
  assert.ok(compiled.ok, glob);
  return compiled.value(path);
}

test('globs match as the table of the reference says', () => {
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

test('a class holds any character', () => {
  const specials = Array.from('~&|^$.*+?(){}<>=!@#%,;:"\'`');
  for (const char of specials) {
    assert.ok(matches(`[a${char}]x`, `${char}x`), char);
    assert.ok(!matches(`[!a${char}]x`, `${char}x`), char);
  }
  assert.ok(matches('[a&&b]', '&'));
});

test('each side of {a,b} is a glob of its own', () => {
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

test('what is no glob says what it lacks', () => {
  for (const [glob, expected] of [
    ['a[', '"]"'],
    ['{a', '"}"'],
    ['a\\', 'after the last'],
    ['[z-a]', 'in order'],
  ] as const) {
    const compiled = compileGlob(glob);
    assert.ok(!compiled.ok && compiled.error.includes(expected), glob);
  }
});

test('a path whose every character is escaped matches itself alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (path, other) => {
      const glob = Array.from(path, char => `\\${char}`).join('');
      assert.ok(matches(glob, path));
      assert.equal(matches(glob, other), other === path);
    }),
  );
});
