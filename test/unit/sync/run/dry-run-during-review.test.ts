import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { SyncRequest } from '../../../../src/sync/sync-engine.ts';
import { getScript } from '../../../../src/sync/tools/get-script.ts';
import { settle } from '../../../harness/settle.ts';
import { differing, main, mainFile, syncWorld } from '../../../harness/sync-world.ts';
import { toolCall } from '../../../harness/tool-call.ts';

const manual: SyncRequest = { mode: 'manual', overrides: [], requestedBy: 'test' };

test('lists changes and reads scripts while a person decides, without disturbing the review', async () => {
  const world = await syncWorld(differing);
  const run = world.engine.start(manual);
  await settle();
  assert.equal(run.phase(), 'reviewing');
  const look = await world.sync({ mode: 'dryrun' });
  assert.deepEqual([look.status, look.changes.map(({ path }) => path)], ['dryrun', [main]]);
  const compare = world.studio.commands.findLast(({ type }) => type === 'compare');
  assert.ok(compare?.type === 'compare' && compare.isAside === true);
  const deps = { engine: world.engine, clock: world.clock, hasher: nodeHasher };
  const { structuredContent, content } = await getScript.call(deps, { fsPath: mainFile }, toolCall());
  assert.deepEqual(structuredContent['running'], { runId: run.runId, phase: 'reviewing' });
  assert.match(content[0].text, /A sync is running \(reviewing, runId /);
  assert.equal(world.engine.current(), run);
  const [review] = world.reviews;
  assert.ok(review);
  const { rows } = review.snapshot();
  review.choose(
    rows.map(({ id }) => id),
    'push',
  );
  review.apply(review.snapshot().revision);
  assert.equal((await run.result).status, 'success');
  assert.equal(world.studio.source(main), 'print("disk")\n');
});

test('refuses a dry run during a review when the plugin keeps only one comparison', async () => {
  const world = await syncWorld({ ...differing, connected: false });
  world.join(undefined, { capabilities: ['acknowledgedApply', 'stableIds', 'requestIds'] });
  const run = world.engine.start(manual);
  await settle();
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'sync_in_progress');
  run.cancel();
});

test('compares with another Studio while a run applies changes, and refuses other runs', async () => {
  const world = await syncWorld(differing);
  const [first] = world.studios.all();
  const { studio: other } = world.join();
  const second = world.studios.all().find(({ handle }) => handle !== first?.handle)?.handle;
  world.studio.stalled.add('apply');
  const { changes } = await world.sync({ mode: 'dryrun', studio: first?.handle });
  const overrides = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  const run = world.engine.start({ mode: 'fastfail', overrides, requestedBy: 'test', studio: first?.handle });
  await settle();
  assert.equal(run.phase(), 'applying');
  const look = await world.sync({ mode: 'dryrun', studio: second });
  assert.deepEqual([look.status, look.studio], ['dryrun', second]);
  assert.equal((await world.sync({ mode: 'dryrun', studio: first?.handle })).status, 'sync_in_progress');
  assert.equal((await world.sync({ mode: 'fastfail', studio: second })).status, 'sync_in_progress');
  assert.equal(other.source(main), 'print("Studio")\n');
  world.clock.advance(60_000);
  await settle();
  world.clock.advance(60_000);
  await run.result;
});
