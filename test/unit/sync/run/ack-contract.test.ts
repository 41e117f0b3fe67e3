import { formatResult } from '../../../../src/protocol/run-result.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as z from 'zod';
import type { StudioLink } from '../../../../src/studio/studio-link.ts';
import type { SyncEngine, SyncRun } from '../../../../src/sync/sync-engine.ts';
import { toolCatalog } from '../../../../src/app/tool-catalog.ts';
import { docsTools } from '../../../../src/docs/tools/docs-toolset.ts';
import { plutoTools } from '../../../../src/pluto/tools/pluto-catalog.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { settle } from '../../../harness/settle.ts';
import { differing, main, mainFile, syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const start = (world: SyncWorld): SyncRun =>
  world.engine.start({ mode: 'standard', overrides: [], requestedBy: 'test' });

test('[R1] accepts an answer that arrives while the command is still being sent', async () => {
  // The fake answers inside `send`, so a listener that is added after `send` would never be called.
  const world = await syncWorld(differing);
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'dryrun');
  assert.equal(world.clock.pending, 0);
});

test('[R2] refuses the second of two simultaneous runs with the id of the first', async () => {
  const world = await syncWorld(differing);
  const [first, second] = [start(world), start(world)];
  const refused = await second.result;
  assert.equal(refused.status, 'sync_in_progress');
  assert.match(refused.summary, new RegExp(first.runId));
  first.cancel();
  await first.result;
});

test('[R3] reports equal sides as empty, and applies and records nothing', async () => {
  const world = await syncWorld({
    ...differing,
    place: { [main]: { className: 'Script', source: 'print("disk")\n' } },
  });
  assert.equal((await world.sync()).status, 'empty');
  assert.deepEqual(new Set(world.studio.commands.map(({ type }) => type)), new Set(['compare']));
  assert.deepEqual(await world.journal.list(), []);
});

test('[R4] keeps one timer, the deadline, while a run waits, and none afterwards', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('compare');
  const run = start(world);
  await settle();
  assert.equal(world.clock.pending, 1);
  run.cancel();
  formatResult(await run.result);
  assert.equal(world.clock.pending, 0);
});

test('[R5] ignores an answer to another request, and fails one that reports a different text', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.studio.stalled.add('apply');
  const overrides = [{ id, direction: 'push' as const }];
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  const results = [{ id, ok: true, studioHash: gitBlob('print("disk")\n') }];
  world.studio.sendRaw({ type: 'applied', requestId: 'another request', results });
  await settle();
  assert.equal(run.phase(), 'applying');
  const command = world.studio.commands.find(({ type }) => type === 'apply');
  assert.ok(command !== undefined && 'requestId' in command);
  const claimed = [{ id, ok: true, studioHash: gitBlob('something else') }];
  world.studio.sendRaw({ type: 'applied', requestId: command.requestId, results: claimed });
  const result = formatResult(await run.result);
  assert.equal(result.status, 'partial');
  assert.match(result.changes[0]?.reason ?? '', /different text/);
});

test('[R7] ends every wait immediately when the connection is lost, not at its deadline', async () => {
  const world = await syncWorld(differing);
  for (const command of ['compare', 'getScript'] as const) world.studio.stalled.add(command);
  const run = start(world);
  const script = world.engine.readScript({ fsPath: mainFile, fromDraft: false }, new AbortController().signal);
  await settle();
  world.studio.disconnect();
  await assert.rejects(script, { code: 'STUDIO_DISCONNECTED' });
  assert.equal((await run.result).status, 'disconnected');
  assert.equal(world.clock.pending, 0);
});

test('[R8] allows the next run after one has failed', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.journal.failing = true;
  assert.equal((await world.sync({ overrides: [{ id, direction: 'push' }] })).status, 'error');
  world.journal.failing = false;
  assert.equal(world.engine.current(), undefined);
  assert.equal((await world.sync({ overrides: [{ id, direction: 'push' }] })).status, 'success');
});

test('[R11] ends the wait, notifies Studio and records the status when a run is cancelled', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('compare');
  const run = start(world);
  await settle();
  run.cancel();
  assert.equal((await run.result).status, 'cancelled');
  assert.equal(world.studio.cancelled.length, 1);
  assert.equal(world.engine.find(run.runId)?.latest()?.status, 'cancelled');
});

test('[R12] no tool accepts a budget or a time limit', () => {
  const names = [...toolCatalog, ...docsTools, ...plutoTools].flatMap(tool => {
    const properties = tool.listing.inputSchema['properties'] as Record<string, unknown> | undefined;
    return Object.keys(properties ?? {}).map(name => `${tool.listing.name}.${name}`);
  });
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter(name => /timeout|budget|deadline|seconds|ms$/i.test(name)),
    // The time limit of a program, which only its author knows.
    ['run.timeout'],
  );
});

test('[R13] refuses a decision for an older revision of the review or an older hash of Studio', async () => {
  const world = await syncWorld(differing);
  const run = start(world);
  await settle();
  const [review] = world.reviews;
  assert.ok(review !== undefined);
  const { revision, rows } = review.snapshot();
  review.choose([rows[0]?.id ?? ''], 'push');
  assert.throws(() => review.apply(revision), { code: 'REVIEW_REFUSED' });
  run.cancel();
  formatResult(await run.result);
  const id = rows[0]?.id ?? '';
  world.studio.edit(main, 'print("newer")\n');
  const studioHash = gitBlob('print("Studio")\n');
  const stale = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push', studioHash }] });
  assert.equal(stale.overrides[0]?.verdict, 'hash_mismatch');
  assert.equal(world.studio.source(main), 'print("newer")\n');
});

/** Does not compile when an action returns nothing: `void` is not an outcome. */
type HasOutcome<F> = F extends (...args: never[]) => infer R ? ([Awaited<R>] extends [void] ? never : true) : never;
const outcomes: readonly true[] = [
  true satisfies HasOutcome<SyncEngine['start']>,
  true satisfies HasOutcome<SyncEngine['readScript']>,
  true satisfies HasOutcome<StudioLink['compare']>,
  true satisfies HasOutcome<StudioLink['read']>,
  true satisfies HasOutcome<StudioLink['apply']>,
  true satisfies HasOutcome<StudioLink['getScript']>,
];

test('[R14] every tool has an output schema with an outcome, and every action returns a type', () => {
  for (const { listing } of [...toolCatalog, ...plutoTools]) {
    const [output, failure] = listing.outputSchema['anyOf'] as readonly z.core.JSONSchema.ObjectSchema[];
    assert.ok(output !== undefined && failure?.properties?.['outcome'] !== undefined, listing.name);
    if (listing.annotations.readOnlyHint) continue;
    for (const field of ['outcome', 'elapsedMs']) assert.ok(output.required?.includes(field), listing.name);
  }
  assert.equal(outcomes.length, 6);
});
