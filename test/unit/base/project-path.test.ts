import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'node:test';
import { isProjectPath, resolvePath } from '../../../src/base/project-path.ts';
import { projectPath } from '../../harness/project-world.ts';

// A `$path` is relative to the folder of its file. Backslashes are already slashes here.
for (const [folder, path, expected] of [
  ['', 'src', 'src'],
  ['', './src//deep/', 'src/deep'],
  ['a/b', '../c', 'a/c'],
  ['a', '..', ''],
  ['a', '.', 'a'],
  ['', '..', undefined],
  ['a', '../../x', undefined],
  ['', '/x', undefined],
  ['', 'C:/x', undefined],
  ['', 'c:x', undefined],
  ['', '//server/share', undefined],
  ['', 'a\0b', undefined],
] as const)
  test(`${JSON.stringify(path)} in ${JSON.stringify(folder)} is ${expected ?? 'outside'}`, () => {
    assert.equal(resolvePath(projectPath(folder), path), expected);
  });

test('spells a project path the same on every system', () => {
  for (const path of ['', 'a', 'a/b', 'a b/ü.luau', '.hidden', 'a..b', 'CON']) assert.ok(isProjectPath(path), path);
  for (const path of ['/a', 'a/', 'a//b', './a', 'a/..', 'a\\b', 'C:\\a', 'a\0'])
    assert.ok(!isProjectPath(path), JSON.stringify(path));
});

test('accepts exactly the paths whose names are all names', () => {
  const isName = (name: string): boolean => !['', '.', '..'].includes(name) && !/[\0\\]/.test(name);
  const characters = fc.constantFrom('/', '.', 'a', '\n', '\0', '\\');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 8 }), text =>
      assert.equal(isProjectPath(text), text === '' || text.split('/').every(isName)),
    ),
    { numRuns: 2_000 },
  );
});
