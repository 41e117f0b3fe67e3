import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PullRequest } from '../../../../src/project/project-session.ts';
import { reasonText } from '../../../../src/protocol/reason.ts';
import { openProject } from '../../../harness/project-world.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: {
      $className: 'DataModel',
      ReplicatedStorage: { $path: 'src', Node: { $className: 'Folder' } },
    },
  }),
  'src/Kit/A.luau': 'return 1\n',
  'src/Kit/A.meta.json': '{ "properties": { "Tags": ["a"] } }',
  'src/Box/B.luau': 'return 2\n',
  'src/Model.model.json': '{ "className": "Folder", "children": [{ "name": "In", "className": "Folder" }] }',
  'src/Nested/default.project.json': '{ "name": "Nested", "tree": { "$className": "Folder" } }',
};

/** The paths that a move writes and removes, or why it is refused. */
async function move(from: string, to: string, more: Readonly<Record<string, string>> = {}): Promise<unknown> {
  using world = await openProject({ ...files, ...more });
  const at = (path: string) => world.at(`ReplicatedStorage/${path}`);
  const { id, name } = at(from);
  const request: PullRequest = { kind: 'move', id, parentId: at(to).id, name };
  const { edits, pulls } = await world.session.planPulls([request], new AbortController().signal);
  const [pull] = pulls;
  if (pull?.ok !== true) return pull && reasonText(pull.reason);
  return edits.map(edit => `${edit.kind} ${edit.path}`).toSorted();
}

test('moves a file with its meta file, and keeps the folder that it leaves empty', async () => {
  assert.deepEqual(await move('Kit/A', 'Box'), [
    'remove src/Kit/A.luau',
    'remove src/Kit/A.meta.json',
    'write src/Box/A.luau',
    'write src/Box/A.meta.json',
    'write src/Kit/.gitkeep',
  ]);
});

test('turns a script into a folder when it becomes the parent', async () => {
  assert.deepEqual(await move('Kit/A', 'Box/B'), [
    'remove src/Box/B.luau',
    'remove src/Kit/A.luau',
    'remove src/Kit/A.meta.json',
    'write src/Box/B/A.luau',
    'write src/Box/B/A.meta.json',
    'write src/Box/B/init.luau',
    'write src/Kit/.gitkeep',
  ]);
});

test('refuses to move an instance without a separate file or folder, and a parent without a folder', async () => {
  assert.match(String(await move('Node', 'Box')), /default\.project\.json describes its place; move it there by hand/);
  assert.match(String(await move('Nested', 'Box')), /default\.project\.json describes its place/);
  assert.match(String(await move('Model/In', 'Box')), /no file describes this instance alone/);
  assert.match(String(await move('Kit/A', 'Model')), /has no folder/);
});

test('chooses no name of an existing file', async () => {
  const taken = await move('Kit/A', 'Box', { 'src/Box/A.luau': 'mine' });
  assert.ok(!JSON.stringify(taken).includes('write src/Box/A.luau'), JSON.stringify(taken));
});
