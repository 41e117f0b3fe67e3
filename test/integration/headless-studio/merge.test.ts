import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThreadMerger, mergeWorker } from '../../../src/adapters/node/thread-merger.ts';
import type { ReviewControl } from '../../../src/ports/review-surface.ts';
import { until } from '../../harness/until.ts';
import { startHeadlessWorld } from '../../harness/headless-world.ts';

const project = JSON.stringify({
  name: 'harbor',
  tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'shared' } },
});
const pets = ['local Pets = {', '\tspeed = 1,', '}', '', 'return Pets', ''].join('\n');
const model = (attributes: object): string =>
  JSON.stringify({ className: 'Folder', properties: { Tags: ['pet'] }, attributes });

test('merges a script and the attributes of a folder that changed on disk and in Studio', async () => {
  await using world = await startHeadlessWorld(
    { 'default.project.json': project, 'shared/Pets.luau': pets, 'shared/Store.model.json': model({ price: 1 }) },
    '',
    { merger: createThreadMerger({ worker: mergeWorker() }) },
  );
  await world.decide();
  assert.equal((await world.sync({ mode: 'standard' })).status, 'empty');
  const files = world.bridge.disk;
  files.set('shared/Pets.luau', pets.replace('\tspeed = 1,\n', '\tspeed = 1,\n\thealth = 2,\n'));
  files.set('shared/Store.model.json', model({ price: 1, onDisk: 2 }));
  await world.lua(`
    local storage = game:GetService("ReplicatedStorage")
    storage.Pets.Source = string.gsub(storage.Pets.Source, "\\tspeed = 1,\\n", "\\tspeed = 1,\\n\\tname = \\"Rex\\",\\n")
    storage.Store:SetAttribute("inStudio", 3)
    storage.Store:AddTag("sold")
  `);
  const { changes } = await world.sync();
  assert.deepEqual(
    changes
      .map(({ path, defaultReason, defaultSelection }) => [path, defaultSelection, defaultReason].join(' '))
      .toSorted(),
    ['ReplicatedStorage/Pets merge base_merged', 'ReplicatedStorage/Store merge base_merged'],
  );
  const overrides = changes.map(({ id, studioHash, diskHash }) => ({
    id,
    direction: 'merge' as const,
    ...(studioHash === undefined ? {} : { studioHash }),
    ...(diskHash === undefined ? {} : { diskHash }),
  }));
  const result = await world.sync({ mode: 'fastfail', overrides });
  assert.equal(result.status, 'success', JSON.stringify(result));
  const text = files.text('shared/Pets.luau') ?? '';
  for (const entry of ['speed = 1,', 'health = 2,', 'name = "Rex",']) assert.ok(text.includes(entry), text);
  assert.deepEqual(await world.lua('return game:GetService("ReplicatedStorage").Pets.Source'), [text]);
  const { attributes, properties } = JSON.parse(files.text('shared/Store.model.json') ?? '');
  assert.deepEqual(attributes, { price: 1, onDisk: 2, inStudio: 3 });
  assert.deepEqual(properties, { Tags: ['pet', 'sold'] });
  assert.equal((await world.sync()).status, 'empty');
});

test('writes a text that a person merged to both sides when it is applied, and nothing before', async () => {
  let review: ReviewControl | undefined;
  const onDisk = 'local speed = 10\n\nlocal health = 2\n';
  await using world = await startHeadlessWorld(
    {
      'default.project.json': project,
      'shared/Pets.server.luau': onDisk,
      'shared/Pets.meta.json': JSON.stringify({ properties: { Disabled: true } }),
    },
    `local it = Instance.new("Script")
    it.Name = "Pets"
    it.Source = "local speed = 1\\n\\nlocal health = 20\\n"
    it.Parent = game:GetService("ReplicatedStorage")`,
    { reviewSurface: { show: async shown => void (review = shown) } },
  );
  const running = world.bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => review !== undefined);
  const [row] = review?.snapshot().rows ?? [];
  assert.ok(review !== undefined && row !== undefined);
  assert.deepEqual(Object.keys(row.properties), ['Disabled']);
  await review.texts(row.id);
  await review.decideHunk(row.id, 0, 'push');
  await review.decideHunk(row.id, 1, 'pull');
  assert.deepEqual([review.row(row.id)?.choice, review.row(row.id)?.personMerge?.hunks?.fromStudio], ['merge', 1]);
  const pets = 'game:GetService("ReplicatedStorage").Pets';
  assert.equal(world.bridge.disk.text('shared/Pets.server.luau'), onDisk);
  review.apply(review.status().revision);
  const { status, changes } = await running.result;
  assert.deepEqual([status, changes[0]?.outcome], ['success', 'merged']);
  const merged = 'local speed = 10\n\nlocal health = 20\n';
  assert.equal(world.bridge.disk.text('shared/Pets.server.luau'), merged);
  assert.deepEqual(await world.lua(`return ${pets}.Source, ${pets}.Disabled`), [merged, true]);
  assert.equal((await world.sync()).status, 'empty');
});
