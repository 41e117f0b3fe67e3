import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import { projectFile, syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const kit = 'ServerScriptService/Kit';
const kitFile = 'src/Kit.luau';
const inStudio: WorldParts = { git: 'none', place: { [kit]: { className: 'ModuleScript', source: 'return 1\n' } } };

/** Pulls everything; `meanwhile` happens right before Studio confirms. */
async function pull(world: SyncWorld, meanwhile: () => void): Promise<SyncResult> {
  const { changes } = await world.sync({ mode: 'dryrun' });
  world.studio.before = command => {
    if (command.type === 'apply') meanwhile();
  };
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  return await world.sync({ mode: 'fastfail', overrides });
}

const outcomes = ({ changes }: SyncResult) => changes.map(({ outcome, reason }) => [outcome, reason]);

test('verifies a new instance when the project reads it from its files', async () => {
  const world = await syncWorld(inStudio);
  const result = await pull(world, () => undefined);
  assert.deepEqual([result.status, outcomes(result)], ['success', [['written', undefined]]]);
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
});

test('fails a new instance when the project ignores its files', async () => {
  const world = await syncWorld(inStudio);
  const project = { ...(JSON.parse(projectFile) as object), globIgnorePaths: ['**/Kit.luau'] };
  const result = await pull(world, () => world.files.set('default.project.json', JSON.stringify(project)));
  assert.deepEqual(
    [result.status, outcomes(result)],
    ['partial', [['failed', 'its files were written, but the project does not include them']]],
  );
  assert.equal(world.files.text(kitFile), 'return 1\n');
});

for (const [what, file, text, reason] of [
  ['text', 'src/Box/Kit.luau', 'return 2\n', /reads a different text from it/],
  [
    'value',
    'src/Box/Lamp.model.json',
    '{"className":"PointLight","properties":{"Range":2}}',
    /a different Range from it/,
  ],
] as const)
  test(`fails a new folder when the project reads another ${what} in it`, async () => {
    const box = 'ServerScriptService/Box';
    const world = await syncWorld({
      git: 'none',
      place: {
        [box]: { className: 'Folder' },
        [`${box}/Kit`]: { className: 'ModuleScript', source: 'return 1\n' },
        [`${box}/Lamp`]: { className: 'PointLight', properties: { Range: { Float32: 9 } } },
      },
    });
    const replace = world.files.replace.bind(world.files);
    world.files.replace = async (path, ...rest) => {
      await replace(path, ...rest);
      if (path === file) world.files.set(path, text);
    };
    const result = await pull(world, () => undefined);
    assert.equal(result.status, 'partial');
    assert.match(String(outcomes(result)[0]?.[1]), reason);
  });

test('fails a removal, and what it includes, when the project still has the instance', async () => {
  const world = await syncWorld({ git: 'none', files: { 'src/Box/Kit.luau': 'return 1\n' } });
  const remove = world.files.remove.bind(world.files);
  world.files.remove = async (path, ...rest) => {
    await remove(path, ...rest);
    if (path === 'src/Box') world.files.set('src/Box/Kit.luau', 'return 2\n');
  };
  const result = await pull(world, () => undefined);
  const failed = ['failed', 'its files were removed, but the project still has it'];
  assert.deepEqual([result.status, outcomes(result)], ['partial', [failed, failed]]);
});
