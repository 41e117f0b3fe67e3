import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { settle } from '../../../harness/settle.ts';
import { syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const path = (name: string): string => `ServerScriptService/${name}`;
const world = (): Promise<SyncWorld> =>
  syncWorld({
    git: 'none',
    files: { 'src/A.luau': 'return "disk A"\n', 'src/B.luau': 'return "disk B"\n' },
    place: {
      [path('A')]: { className: 'ModuleScript', source: 'return "Studio A"\n' },
      [path('B')]: { className: 'ModuleScript', source: 'return "Studio B"\n' },
    },
  });

/** Pushes A and pulls B with a Studio that never says what became of it, up to the end of the budget. */
async function unanswered(of: SyncWorld, studioDoes: () => void) {
  const { changes } = await of.sync({ mode: 'dryrun' });
  const overrides = changes.map(({ id, path: at }) => ({
    id,
    direction: at === path('A') ? ('push' as const) : ('pull' as const),
  }));
  of.studio.stalled.add('apply');
  of.studio.before = command => {
    if (command.type === 'apply') studioDoes();
  };
  const run = of.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  of.clock.advance(30_000);
  await settle();
  return { run, result: await run.result };
}
const outcomes = (
  result: { readonly changes: readonly { path: string; outcome?: string | undefined }[] } | undefined,
) => Object.fromEntries((result?.changes ?? []).map(change => [change.path.slice(-1), change.outcome]));

test('[R6] before it is said that nobody knows, Studio is looked at once, and what is seen there counts', async () => {
  const of = await world();
  const { result } = await unanswered(of, () => of.studio.edit(path('A'), 'return "disk A"\n'));
  assert.deepEqual(outcomes(result), { A: 'applied', B: 'failed' });
  assert.deepEqual([result.status, result.error?.code], ['error', 'STUDIO_NOT_RESPONDING']);
  assert.equal(of.studio.commands.filter(({ type }) => type === 'read').length, 2);
  assert.equal(of.files.text('src/B.luau'), 'return "disk B"\n');
});

test('[R6] what is not seen to have happened is not known, and nobody says otherwise', async () => {
  const of = await world();
  const { result } = await unanswered(of, () => undefined);
  assert.deepEqual(outcomes(result), { A: 'unknown', B: 'failed' });
  assert.equal(result.outcome, 'unknown');
  assert.match(result.changes.find(change => change.path === path('A'))?.reason ?? '', /did not confirm/);
});

test('[R10] a late answer completes the record of its run and answers nobody else', async () => {
  const of = await world();
  const { run, result } = await unanswered(of, () => undefined);
  const command = of.studio.commands.find(({ type }) => type === 'apply');
  assert.ok(command?.type === 'apply');
  let told = 0;
  of.engine.onDidChange(() => (told += 1));
  const results = command.decisions.map(({ id, direction }) => ({
    id,
    ok: true,
    studioHash: gitBlob(direction === 'push' ? 'return "disk A"\n' : 'return "Studio B"\n'),
  }));
  for (let time = 0; time < 2; time += 1) of.studio.sendRaw({ type: 'applied', requestId: command.requestId, results });
  await settle();
  assert.equal(told, 1, 'the second one is nobody’s');
  assert.deepEqual(outcomes(result), { A: 'unknown', B: 'failed' }, 'what was said stays said');
  assert.deepEqual(outcomes(run.latest()), { A: 'applied', B: 'failed' });
  assert.deepEqual([run.latest()?.status, run.latest()?.outcome], ['partial', 'failed']);
  const ending = (await of.journal.find(run.runId))?.ending as JournalEnding;
  assert.deepEqual(
    ending.outcomes.map(({ outcome }) => outcome).toSorted((a, b) => (a < b ? -1 : 1)),
    ['applied', 'failed'],
  );
  assert.equal(of.clock.pending, 0);
});
