import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld } from '../../../harness/sync-world.ts';

test('does not write a pulled text that does not match the hash of Studio', async () => {
  const text = 'return 100 -- this is the text of Studio\n';
  const flipped = text.replace('100', '101');
  const world = await syncWorld({
    git: 'none',
    files: { 'src/Edited.luau': 'return 1\n', 'src/Sound.luau': 'return 1\n' },
    place: {
      'ServerScriptService/Edited': { className: 'ModuleScript', source: text },
      'ServerScriptService/Sound': { className: 'ModuleScript', source: 'return 2\n' },
      'ServerScriptService/Folder': { className: 'Folder' },
      'ServerScriptService/Folder/New': { className: 'ModuleScript', source: text },
    },
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  world.link.damage = message => message.replaceAll(JSON.stringify(text), JSON.stringify(flipped));
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
  assert.equal(result.status, 'partial');
  assert.deepEqual(Object.fromEntries(result.changes.map(({ path, outcome, reason }) => [path, reason ?? outcome])), {
    'ServerScriptService/Edited': 'the text of Edited was damaged on its way from Studio: it does not match its hash',
    'ServerScriptService/Folder': 'the text of New was damaged on its way from Studio: it does not match its hash',
    'ServerScriptService/Sound': 'written',
  });
  assert.equal(world.files.text('src/Edited.luau'), 'return 1\n');
  assert.equal(world.files.text('src/Folder/New.luau'), undefined);
});

test('removes nothing from Studio whose text arrived damaged', async () => {
  // The record would be the only copy of the text.
  const path = 'ServerScriptService/Only';
  const text = 'return 100\n';
  const world = await syncWorld({ git: 'none', place: { [path]: { className: 'ModuleScript', source: text } } });
  const { changes } = await world.sync({ mode: 'dryrun' });
  world.link.damage = message => message.replaceAll(JSON.stringify(text), JSON.stringify('return 101\n'));
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'push' as const })) });
  assert.equal(result.changes[0]?.outcome, 'failed');
  assert.equal(world.studio.source(path), text);
});
