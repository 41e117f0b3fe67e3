import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { SyncAnswer } from '../../../../src/protocol/sync-page.ts';
import { atlasSync } from '../../../../src/sync/tools/atlas-sync.ts';
import { syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { toolCall } from '../../../harness/tool-call.ts';

const count = 12_000;
const numbers = (most: number): number[] => Array.from({ length: most }, (_, index) => index);
const parts = (most: number): WorldParts => ({
  files: Object.fromEntries(numbers(most).map(index => [`src/S${index}.server.luau`, 'disk'])),
  place: Object.fromEntries(
    numbers(most).map(index => [`ServerScriptService/S${index}`, { className: 'Script', source: `Studio ${index}` }]),
  ),
  git: 'none',
});

async function sync(world: SyncWorld, args: object): Promise<SyncAnswer> {
  const deps = { engine: world.engine, clock: world.clock, hasher: nodeHasher };
  return SyncAnswer.parse((await atlasSync.call(deps, args, toolCall())).structuredContent);
}

test('decides all undecided changes of a listed state except those with another override', async () => {
  const world = await syncWorld(parts(40));
  const filters = { under: 'ServerScriptService', undecided: true };
  const look = await sync(world, { mode: 'dryrun', ...filters });
  const digest = look.page?.digest;
  assert.ok(digest);
  const [first] = look.changes;
  assert.ok(first);
  const all = await sync(world, {
    mode: 'fastfail',
    overrides: [{ ...filters, direction: 'pull', digest }],
    limit: 1,
  });
  assert.equal(all.status, 'success', JSON.stringify(all));
  assert.deepEqual(all.bulk, [
    { ...filters, direction: 'pull', digest, verdict: 'accepted', selected: 40, accepted: 40 },
  ]);
  assert.equal(world.files.text('src/S7.server.luau'), 'Studio 7');
});

test('prefers an override for a single change', async () => {
  const world = await syncWorld(parts(3));
  const look = await sync(world, { mode: 'dryrun' });
  const id = look.changes.find(({ path }) => path.endsWith('S1'))?.id;
  const bulk = { direction: 'pull', digest: look.page?.digest };
  const result = await sync(world, { mode: 'fastfail', overrides: [bulk, { id, direction: 'push' }] });
  assert.deepEqual([result.status, result.bulk?.[0]?.accepted], ['success', 2]);
  assert.equal(world.studio.source('ServerScriptService/S1'), 'disk');
  assert.equal(world.files.text('src/S0.server.luau'), 'Studio 0');
});

test('decides nothing when a side changed since the list was seen', async () => {
  for (const side of ['disk', 'Studio'] as const) {
    const world = await syncWorld(parts(3));
    const { page } = await sync(world, { mode: 'dryrun' });
    if (side === 'disk') world.files.set('src/S1.server.luau', 'later');
    else world.studio.edit('ServerScriptService/S1', 'later');
    const result = await sync(world, { mode: 'fastfail', overrides: [{ direction: 'pull', digest: page?.digest }] });
    assert.deepEqual([result.status, result.bulk?.[0]?.verdict], ['fastfail_unresolved', 'digest_mismatch'], side);
    const again = [{ direction: 'pull', digest: result.page?.digest }];
    assert.equal((await sync(world, { mode: 'fastfail', overrides: again })).status, 'success', side);
  }
});

test('follows the setting for decisions of agents', async () => {
  const world = await syncWorld({ ...parts(2), settings: { overridesApproval: () => 'never' } });
  const { page } = await sync(world, { mode: 'dryrun' });
  const result = await sync(world, { mode: 'fastfail', overrides: [{ direction: 'pull', digest: page?.digest }] });
  assert.deepEqual([result.status, result.bulk?.[0]?.verdict], ['fastfail_unresolved', 'declined']);
});

test('refuses an override with both id and digest, and one with neither', async () => {
  const world = await syncWorld(parts(1));
  for (const override of [{ direction: 'push' }, { id: 'a', digest: 'b', direction: 'push' }]) {
    const { error } = await sync(world, { overrides: [override] });
    assert.match(error?.message ?? '', /overrides: each override needs either id or digest/);
  }
});

test('decides more changes than the limit of overrides', { timeout: 60_000 }, async () => {
  const world = await syncWorld(parts(count));
  const { page } = await sync(world, { mode: 'dryrun', summary: true });
  assert.equal(page?.undecided, count);
  const overrides = [{ direction: 'pull', digest: page.digest }];
  const result = await sync(world, { mode: 'dryrun', overrides, summary: true });
  assert.deepEqual([result.page?.undecided, result.bulk?.[0]?.accepted], [0, count]);
});
