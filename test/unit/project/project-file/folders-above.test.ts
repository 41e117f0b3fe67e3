import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativePath } from '../../../../src/base/project-path.ts';
import { foldersAbove } from '../../../../src/project/project-file/folders-above.ts';
import { projectPath } from '../../../harness/project-world.ts';

for (const [tree, expected] of [
  ['{"$path": "src"}', 0],
  ['{"$path": "../lib"}', 1],
  ['{"$path": "..\\\\..\\\\lib"}', 2],
  ['{"$path": "src/../../lib/.."}', 1],
  ['{"$path": "./.."}', 1],
  ['{"A": {"B": {"$path": {"optional": "../../x"}}}, "$path": "../y"}', 2],
  ['{"$path": "/absolute/../.."}', 0],
  ['{"$path": 1, "$properties": {"$path": "../../../x"}}', 0],
  ['3', 0],
] as const)
  test(`${tree} reaches ${expected} folders above`, () => {
    assert.equal(foldersAbove(`// a project\n{tree: ${tree}}`), expected);
  });

test('returns 0 for text that is not a project', () => {
  for (const text of ['', '{', '[]', '{"$path": "../x"}']) assert.equal(foldersAbove(text), 0, text);
});

for (const [folder, path, expected] of [
  ['', 'src/a', 'src/a'],
  ['games/a', 'games/a/src/x', 'src/x'],
  ['games/a', 'lib/x', '../../lib/x'],
  ['games/a', 'games/b', '../b'],
  ['games', 'games.luau', '../games.luau'],
] as const)
  test(`${path} is ${expected} from ${folder === '' ? 'the root' : folder}`, () => {
    assert.equal(relativePath(projectPath(folder), projectPath(path)), expected);
  });

test('reads a node with 130,000 children', () => {
  assert.equal(foldersAbove(`{"tree": {${'"a":1,'.repeat(130_000)}"last": {"$path": "../x"}}}`), 1);
});
