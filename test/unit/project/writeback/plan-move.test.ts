import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { PullRequest } from '../../../../src/project/project-session.ts';
import { ProjectTree } from '../../../../src/project/tree/project-tree.ts';
import { reasonText } from '../../../../src/protocol/reason.ts';
import { never, openProject } from '../../../harness/project-world.ts';

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
  const { edits, pulls } = await world.session.planPulls([request], never);
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

test('refuses an instance without a separate file or folder, and a parent without a folder', async () => {
  assert.match(String(await move('Node', 'Box')), /default\.project\.json describes its place; move it there by hand/);
  assert.match(String(await move('Nested', 'Box')), /default\.project\.json describes its place/);
  assert.match(String(await move('Model/In', 'Box')), /no file describes this instance alone/);
  assert.match(String(await move('Kit/A', 'Model')), /has no folder/);
});

test('chooses no name of an existing file', async () => {
  const taken = await move('Kit/A', 'Box', { 'src/Box/A.luau': 'mine' });
  assert.ok(!JSON.stringify(taken).includes('write src/Box/A.luau'), JSON.stringify(taken));
});

/** A project in the Atlas dialect, with `count` references by path to other files than those that move, and more files. */
const withReferences = (
  count: number,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  'default.project.json5': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
  }),
  'src/Kit/A.luau': 'return 1\n',
  'src/Kit/B.luau': 'return 2\n',
  'src/Box/init.meta.json5': '{}',
  'src/Target.luau': 'return 3\n',
  ...Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/Links/L${index}.model.json5`,
      linkTo('ReplicatedStorage/Target'),
    ]),
  ),
  ...more,
});
const linkTo = (path: string): string =>
  JSON.stringify({ className: 'ObjectValue', attributes: { Rojo_Ref_Value: path } });

test('refuses to move either end of a reference by path, until the reference is removed', async () => {
  using world = await openProject(
    withReferences(1, {
      'src/ToKit.model.json5': linkTo('ReplicatedStorage/Kit/A'),
      'src/Box/FromBox.model.json5': linkTo('ReplicatedStorage/Target'),
    }),
  );
  const at = (path: string) => world.at(`ReplicatedStorage/${path}`);
  const refusal = async (from: string, to: string): Promise<string | undefined> => {
    const { id, name } = at(from);
    const { pulls } = await world.session.planPulls([{ kind: 'move', id, parentId: at(to).id, name }], never);
    const [pull] = pulls;
    return pull?.ok === false ? reasonText(pull.reason) : undefined;
  };
  const breaks = 'the files name the target of Value by its path; move it by hand';
  for (const from of ['Kit/A', 'Kit', 'Target', 'ToKit']) assert.equal(await refusal(from, 'Box'), breaks, from);
  assert.equal(await refusal('Box', 'Kit'), breaks);
  assert.equal(await refusal('Kit/B', 'Box'), undefined);
  world.files.set('src/ToKit.model.json5', linkTo('ReplicatedStorage/Kit/B'));
  await world.refresh();
  assert.equal(await refusal('Kit/A', 'Box'), undefined);
  assert.equal(await refusal('Kit/B', 'Box'), breaks);
  world.files.delete('src/ToKit.model.json5');
  await world.refresh();
  assert.equal(await refusal('Kit/B', 'Box'), undefined);
});

test('refuses to move the target of a reference whose property has an old name in the file', async () => {
  const weld = { className: 'Weld', attributes: { Rojo_Ref_part1: 'ReplicatedStorage/Kit/A' } };
  using world = await openProject(withReferences(0, { 'src/Weld.model.json5': JSON.stringify(weld) }));
  const at = (path: string) => world.at(`ReplicatedStorage/${path}`);
  assert.equal(at('Weld').properties.get('Part1')?.value, at('Kit/A').id);
  const request: PullRequest = { kind: 'move', id: at('Kit/A').id, parentId: at('Box').id, name: 'A' };
  const { pulls } = await world.session.planPulls([request], never);
  const [pull] = pulls;
  assert.equal(
    pull?.ok === false && reasonText(pull.reason),
    'the files name the target of Part1 by its path; move it by hand',
  );
});

/** The instances that planning the move of `Kit/A` looks at in a project with this number of references. */
async function instancesLookedAt(references: number): Promise<number> {
  using world = await openProject(withReferences(references));
  const at = (path: string) => world.at(`ReplicatedStorage/${path}`);
  const request: PullRequest = { kind: 'move', id: at('Kit/A').id, parentId: at('Box').id, name: 'A' };
  const get = mock.method(ProjectTree.prototype, 'get');
  try {
    const { pulls } = await world.session.planPulls([request], never);
    assert.deepEqual(
      pulls.map(({ ok }) => ok),
      [true],
    );
    return get.mock.callCount();
  } finally {
    get.mock.restore();
  }
}

test('looks at as many instances for a move in a project with many references by path', async () => {
  assert.equal(await instancesLookedAt(100), await instancesLookedAt(4));
});
