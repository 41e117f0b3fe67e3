import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownTime } from '../../../scripts/bench/own-time.ts';
import { parseIgnoreRules, verdictOf } from '../../../src/base/ignore-rules.ts';
import { compilePathGlob } from '../../../src/base/path-glob.ts';

function fits(glob: string, path: string): boolean {
  const compiled = compilePathGlob(glob);
  assert.ok(compiled.ok, glob);
  return compiled.value(path);
}

test('stars stay in a name, two of them cross names, and everything else is what it looks like', () => {
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

test('what cannot be read is said in words', () => {
  for (const glob of ['[a', '{a', 'a}', 'a\\', '[z-a]', 'x'.repeat(5000), '{a,b}'.repeat(20)])
    assert.equal(compilePathGlob(glob).ok, false, glob.slice(0, 20));
});

test('no pattern takes long on any path', () => {
  const began = ownTime();
  assert.equal(fits('*a'.repeat(200) + 'b', 'a'.repeat(2000)), false);
  assert.equal(fits('**/a/'.repeat(200) + 'b', 'a/'.repeat(2000) + 'c'), false);
  assert.ok(ownTime() - began < 2000);
});

test('a path fits itself with its special characters escaped, and with any of its names replaced by a star', () => {
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

test('rules of .gitignore: the last that fits decides; anchored, negated, for folders, commented, escaped', () => {
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
