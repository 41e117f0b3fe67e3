import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeadlessWorld } from '../../harness/headless-world.ts';

const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
const project = { 'default.project.json': JSON.stringify({ name: 'Game', tree }) };
const module = (source: string): string =>
  `local made = Instance.new("ModuleScript") made.Name = "A" made.Source = ${JSON.stringify(source)} made.Parent = game.ReplicatedStorage`;
const sourceOf = 'return game.ReplicatedStorage.A.Source';

for (const [name, onDisk, inStudio] of [
  ['CRLF in Studio and LF on disk', 'one\ntwo\n', 'one\r\ntwo\r\n'],
  ['LF in Studio and CRLF on disk', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['mixed line ends on both sides', 'one\r\ntwo\nthree\n', 'one\ntwo\r\nthree\n'],
] as const)
  test(`finds no difference with ${name}`, { timeout: 60_000 }, async () => {
    await using both = await startHeadlessWorld({ ...project, 'src/A.luau': onDisk }, module(inStudio));
    assert.equal((await both.sync()).status, 'empty');
    assert.deepEqual(await both.lua(sourceOf), [inStudio]);
    assert.equal(both.bridge.disk.text('src/A.luau'), onDisk);
  });

test('finds no difference when a script in a model file has CRLF', { timeout: 60_000 }, async () => {
  const model = JSON.stringify({
    className: 'Folder',
    children: [{ name: 'A', className: 'ModuleScript', properties: { Source: 'one\r\ntwo' } }],
  });
  const inStudio = `local folder = Instance.new("Folder") folder.Name = "Box" folder.Parent = game.ReplicatedStorage
    ${module('one\ntwo')} game.ReplicatedStorage.A.Parent = folder`;
  await using both = await startHeadlessWorld({ ...project, 'src/Box.model.json': model }, inStudio);
  assert.equal((await both.sync()).status, 'empty');
});

test('pulls a change with the line ends of the file, and both sides are equal then', { timeout: 60_000 }, async () => {
  await using both = await startHeadlessWorld(
    { ...project, 'src/A.luau': 'one\r\ntwo\r\n' },
    module('one\nTWO\nthree\n'),
  );
  const pulled = await both.decide(() => ({ direction: 'pull' }));
  assert.equal(pulled.status, 'success');
  assert.equal(both.bridge.disk.text('src/A.luau'), 'one\r\nTWO\r\nthree\r\n');
  assert.equal((await both.sync()).status, 'empty');
});

test('pulls a CRLF script into a file with LF, and both sides are equal then', { timeout: 60_000 }, async () => {
  await using both = await startHeadlessWorld({ ...project, 'src/A.luau': 'one\ntwo\n' }, module('one\r\nTWO\r\n'));
  const pulled = await both.decide(() => ({ direction: 'pull' }));
  assert.equal(pulled.status, 'success');
  assert.equal(both.bridge.disk.text('src/A.luau'), 'one\nTWO\n');
  assert.equal((await both.sync()).status, 'empty');
});

test('pushes over a CRLF script with the hash of its text with LF', { timeout: 60_000 }, async () => {
  await using both = await startHeadlessWorld({ ...project, 'src/A.luau': 'one\n' }, module('two\r\n'));
  assert.equal((await both.decide()).status, 'success');
  assert.deepEqual(await both.lua(sourceOf), ['one\n']);
  assert.equal((await both.sync()).status, 'empty');
});

test('writes a new CRLF script of Studio to a file that compares as equal', { timeout: 60_000 }, async () => {
  await using both = await startHeadlessWorld({ ...project, 'src/B.luau': '' }, module('one\r\ntwo'));
  assert.equal(
    (
      await both.decide(({ className, patchType }) =>
        patchType === 'Remove' && className === 'ModuleScript' ? { direction: 'pull' } : undefined,
      )
    ).status,
    'success',
  );
  assert.equal(both.bridge.disk.text('src/A.luau'), 'one\ntwo');
  assert.equal((await both.sync()).status, 'empty');
});
