import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { threadCpuTime } from '../../../../scripts/bench/cpu-time.ts';
import { parseIgnoreRules, verdictOf } from '../../../../src/base/globs/ignore-rules.ts';
import { compileGlob } from '../../../../src/base/globs/glob.ts';

function fits(glob: string, path: string): boolean {
  const compiled = compileGlob(glob, 'names');
  assert.ok(compiled.ok, glob);
  return compiled.value(path);
}

test('keeps a star inside a name and lets two stars match across names', () => {
  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['*.md', ['a.md', '.md'], ['a/b.md', 'a.mdx']],
    ['**/*.md', ['a.md', 'x/a.md', 'x/y/a.md'], ['a.txt']],
    ['a/**', ['a/x', 'a/b/y.md'], ['a', 'b/a/x', 'ab/x']],
    ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['a/zz', 'az']],
    ['**', ['a', 'a/b'], []],
    ['**/a/**/b', ['a/b', 'x/a/y/a/b'], ['b', 'a']],
    ['a?c', ['abc', 'aéc', 'a\u{1F600}c'], ['a/c', 'ac']],
    ['[a-c]x[!0-9]', ['axb', 'cx-'], ['dxb', 'ax1']],
    ['[]x]', [']', 'x'], ['y']],
    ['[!]]', ['a'], [']']],
    ['{a,b/{c,d}}.md', ['a.md', 'b/c.md', 'b/d.md'], ['b.md', 'c.md']],
    ['\\*\\{a', ['*{a'], ['x{a', 'ba']],
    ['(a|b)+$', ['(a|b)+$'], ['a']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
  ];
  for (const [glob, yes, no] of rows) {
    for (const path of yes) assert.equal(fits(glob, path), true, `${glob} ${path}`);
    for (const path of no) assert.equal(fits(glob, path), false, `${glob} ${path}`);
  }
});

test('reports an error when the glob is invalid', () => {
  for (const glob of ['[a', '{a', 'a}', 'a\\', '[z-a]', 'x'.repeat(5000)])
    assert.equal(compileGlob(glob, 'names').ok, false, glob.slice(0, 20));
});

test('takes linear time when the pattern is hostile', () => {
  const began = threadCpuTime();
  assert.equal(fits('*a'.repeat(200) + 'b', 'a'.repeat(2000)), false);
  assert.equal(fits('**/a/'.repeat(200) + 'b', 'a/'.repeat(2000) + 'c'), false);
  assert.equal(fits('{a,b}'.repeat(20), 'ab'.repeat(10)), true);
  assert.equal(fits('{a,b}'.repeat(20), 'ab'.repeat(9) + 'ac'), false);
  assert.ok(threadCpuTime() - began < 2000);
});

test('matches a path when it is escaped, or when a star replaces one of its names', () => {
  const name = fc.string({ minLength: 1 }).filter(text => !text.includes('/'));
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.nat(), (names, at) => {
      const escaped = names.map(one => one.replace(/[*?[\]{}\\,!]/g, '\\$&'));
      assert.equal(fits(escaped.join('/'), names.join('/')), true);
      const starred = escaped.map((one, index) => (index === at % names.length ? '*' : one));
      assert.equal(fits(starred.join('/'), names.join('/')), true);
      assert.equal(fits(`**/${escaped.at(-1)}`, names.join('/')), true);
    }),
  );
});

test('uses the last .gitignore rule that matches', () => {
  const rules = parseIgnoreRules('*.log\r\n!keep.log\n/top\nbuild/\na/b\n# x\n\\#y\ntrailing \nodd\\ \n\n[broken\n');
  const row = (path: string, isFolder = false) => verdictOf(rules, path, isFolder);
  assert.equal(row('x/y.log'), 'ignored');
  assert.equal(row('x/keep.log'), 'kept');
  assert.equal(row('top'), 'ignored');
  assert.equal(row('x/top'), undefined);
  assert.equal(row('x/build', true), 'ignored');
  assert.equal(row('x/build'), undefined);
  assert.equal(row('a/b'), 'ignored');
  assert.equal(row('x/a/b'), undefined);
  assert.equal(row('#y'), 'ignored');
  assert.equal(row('trailing'), 'ignored');
  assert.equal(row('odd '), 'ignored');
  assert.equal(row('[broken'), undefined);
});

test('takes linear time when the .gitignore is hostile', () => {
  const began = threadCpuTime();
  const hostile = [
    '*a'.repeat(100) + 'b',
    '**/a/'.repeat(100) + 'b',
    '[a-z]*'.repeat(100) + '!',
    ' '.repeat(20_000) + 'x',
  ];
  const rules = parseIgnoreRules(hostile.join('\n'));
  assert.equal(verdictOf(rules, 'a'.repeat(2000), false), undefined);
  assert.equal(verdictOf(rules, 'a/'.repeat(1000) + 'c', false), undefined);
  assert.ok(threadCpuTime() - began < 2000);
});

test('reads 5,000 .gitignore rules in less than a second', () => {
  const began = threadCpuTime();
  parseIgnoreRules(Array.from({ length: 5000 }, (_, index) => `folder-${index}/**/*.tmp`).join('\n'));
  assert.ok(threadCpuTime() - began < 1000);
});
