import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncOverride } from '../../../../src/protocol/sync-request.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const path = 'ServerScriptService/Kit';

/** The preconditions that Studio is asked to check when a sync has this override. */
async function sentFor(override: Omit<SyncOverride, 'id'>) {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/Kit.luau': 'return 1\n' },
    place: { [path]: { className: 'ModuleScript', source: 'return 2\n' } },
  });
  const id = await world.idOf(path);
  const sent: unknown[] = [];
  world.studio.before = command => {
    if (command.type === 'compare') sent.push(...command.overrides);
  };
  await world.sync({ mode: 'dryrun', overrides: [{ id, ...override }] });
  return { id, sent };
}

test('asks Studio to check a merge like a push, because it changes Studio too', async () => {
  const { id, sent } = await sentFor({ direction: 'merge', text: 'return 3\n', studioHash: 'a'.repeat(40) });
  assert.deepEqual(sent, [{ id, direction: 'push', studioHash: 'a'.repeat(40) }]);
});

test('asks Studio for the Name of an override that expects the name as answers show it', async () => {
  const expectedProperties = { changedName: 'Kit', Archivable: true };
  const { id, sent } = await sentFor({ direction: 'push', expectedProperties });
  assert.deepEqual(sent, [{ id, direction: 'push', expectedProperties: { Name: 'Kit', Archivable: true } }]);
});
