import { formatResult } from '../../../../src/protocol/run-result.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSentence } from '../../../../src/base/sentence.ts';
import type { RunPhase, SyncRun } from '../../../../src/sync/sync-engine.ts';
import type { JournalStore } from '../../../../src/ports/journal-store.ts';
import { BUDGET_MS } from '../../../../src/protocol/limits.ts';
import type { SyncStatus } from '../../../../src/protocol/sync-result.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { settle } from '../../../harness/settle.ts';
import { syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { recordedSummary } from '../../../../src/vscode/localization/person-sentence.ts';

const path = (name: string): string => `ServerScriptService/${name}`;
const parts: WorldParts = {
  git: 'none',
  files: { 'src/A.luau': 'return "disk A"\n', 'src/B.luau': 'return "disk B"\n' },
  place: {
    [path('A')]: { className: 'ModuleScript', source: 'return "Studio A"\n' },
    [path('B')]: { className: 'ModuleScript', source: 'return "Studio B"\n' },
  },
};
const never = new Promise<never>(() => undefined);

/** A journal whose `append` waits for `release`. */
class SlowJournal extends MemoryJournalStore {
  release = (): void => {};
  override append: JournalStore['append'] = async (...args) => {
    await new Promise<void>(resolve => (this.release = resolve));
    await super.append(...args);
  };
}

interface HeldState {
  readonly name: string;
  readonly phase: RunPhase;
  /** Keeps the run in this state. */
  hold(world: SyncWorld): void;
  readonly isDecided?: boolean;
  readonly journal?: SlowJournal;
}
const stall = (world: SyncWorld, command: 'compare' | 'read' | 'apply'): void => void world.studio.stalled.add(command);
const held = {
  requested: { name: 'requested', phase: 'requested', hold: () => undefined },
  comparing: { name: 'Studio compares', phase: 'comparing', hold: world => stall(world, 'compare') },
  reviewing: { name: 'a person decides', phase: 'reviewing', hold: () => undefined, isDecided: false },
  reading: { name: 'Studio’s side is read', phase: 'applying', hold: world => stall(world, 'read') },
  journalling: {
    name: 'both sides are recorded',
    phase: 'applying',
    hold: () => undefined,
    journal: new SlowJournal(),
  },
  applying: { name: 'Studio applies', phase: 'applying', hold: world => stall(world, 'apply') },
  writing: { name: 'a file is written', phase: 'applying', hold: world => (world.files.fault = () => never) },
} satisfies Readonly<Record<string, HeldState>> as Readonly<Record<string, HeldState>>;

/** Runs a push of A and a pull of B up to the state. A run that a person decides starts without overrides. */
async function reach(state: HeldState): Promise<{ readonly world: SyncWorld; readonly run: SyncRun }> {
  const world = await syncWorld({ ...parts, ...(state.journal && { journalStore: state.journal }) });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const overrides = changes.map(({ id }, index) => ({ id, direction: index === 0 ? 'push' : 'pull' }) as const);
  state.hold(world);
  const run = world.engine.start({
    mode: 'standard',
    overrides: state.isDecided === false ? [] : overrides,
    requestedBy: 'test',
  });
  if (state.phase !== 'requested') await settle();
  assert.equal(run.phase(), state.phase);
  return { world, run };
}
const sides = ({ files, studio }: SyncWorld): unknown => [files.copy(), Array.from(studio.place)];

for (const name of ['requested', 'comparing', 'reviewing', 'reading', 'journalling'])
  test(`ends at once and changes nothing when cancelled while ${held[name]?.name}`, async () => {
    const state = held[name];
    assert.ok(state !== undefined);
    const { world, run } = await reach(state);
    const before = sides(world);
    run.cancel();
    const result = formatResult(await run.result);
    assert.deepEqual([result.status, result.outcome], ['cancelled', 'refused']);
    assert.equal(world.engine.current(), undefined);
    state.journal?.release();
    world.studio.stalled.clear();
    await settle();
    assert.deepEqual(sides(world), before);
    assert.equal(world.clock.pending, 0);
    const [recorded] = await world.engine.history(1);
    assert.ok(recorded === undefined || recorded.status === 'cancelled', 'the record has an ending');
    const next = world.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' });
    assert.equal((await next.result).status, 'dryrun');
  });

for (const name of ['applying', 'writing'])
  test(`continues to the end and reports the outcomes when cancelled while ${held[name]?.name}`, async () => {
    const state = held[name];
    assert.ok(state !== undefined);
    const { world, run } = await reach(state);
    run.cancel();
    await settle();
    assert.equal(run.latest(), undefined);
    world.clock.advance(BUDGET_MS.applyMax);
    await settle();
    world.clock.advance(BUDGET_MS.applyMax);
    const result = formatResult(await run.result);
    assert.notEqual(result.status, 'cancelled');
    assert.equal(result.outcome, 'unknown');
    assert.equal(world.clock.pending, 0);
  });

for (const phase of ['verifying', 'ended'] as const)
  test(`ignores a cancel while ${phase}`, async () => {
    const world = await syncWorld(parts);
    const { changes } = await world.sync({ mode: 'dryrun' });
    const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
    const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
    using _cancelling = run.onProgress(progress => {
      if (progress.phase === phase) run.cancel();
    });
    assert.equal((await run.result).status, 'success');
    assert.equal(run.latest()?.status, 'success');
  });

type Row = readonly [
  state: string,
  after: number,
  status: SyncStatus,
  outcome: string,
  error: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> },
];
const minutes = 30;
const applied = BUDGET_MS.apply + 2 * BUDGET_MS.applyPerInstance;
const rows: readonly Row[] = [
  ['comparing', BUDGET_MS.compare, 'error', 'refused', silent('compared', BUDGET_MS.compare)],
  ['reviewing', minutes * 60_000, 'review_timeout', 'refused', { code: 'REVIEW_TIMEOUT', details: { minutes } }],
  ['reading', BUDGET_MS.read, 'error', 'refused', silent('instances', BUDGET_MS.read)],
  ['applying', applied, 'error', 'unknown', silent('applied', applied)],
  ['writing', BUDGET_MS.write, 'partial', 'unknown', { code: '' }],
];
function silent(signal: string, budgetMs: number): Row[4] {
  return { code: signal === 'applied' ? 'STUDIO_NOT_RESPONDING' : 'STUDIO_BUSY', details: { signal, budgetMs } };
}
for (const [name, after, status, outcome, error] of rows)
  test(`ends ${status} (${outcome}), naming the missing signal, when ${held[name]?.name} too long`, async () => {
    const state = held[name];
    assert.ok(state !== undefined);
    const { world, run } = await reach(state);
    const before = sides(world);
    world.clock.advance(after - 1);
    await settle();
    assert.equal(run.latest(), undefined, 'one millisecond before');
    world.clock.advance(1);
    await settle();
    const result = formatResult(await run.result);
    assert.deepEqual([result.status, result.outcome], [status, outcome]);
    if (error.code !== '') assert.partialDeepStrictEqual(result.error, error);
    if (outcome === 'refused') assert.deepEqual(sides(world), before);
    assert.equal(world.engine.current(), undefined);
    assert.equal(world.clock.pending, 0);
  });

test('says in History for a person why a run ended and what is unknown', async () => {
  const { world, run } = await reach(held['applying'] ?? assert.fail());
  world.clock.advance(applied);
  const { runId } = await run.result;
  const recorded = await world.engine.recorded(runId);
  const words = { t: (template: string, ...values: (string | number)[]) => formatSentence({ template, values }) };
  assert.equal(
    recorded && recordedSummary(recorded, words),
    `Timed out after ${applied} ms waiting for "applied" from Studio. Check whether a dialog is open in Studio, then try again. ` +
      'The sync was completed only in part: 1 failed, 1 with unknown outcome. Start a dry run to see the current state.',
  );
});

test('reports a write without an answer as unknown, and starts no later write', async () => {
  const world = await syncWorld(parts);
  const { changes } = await world.sync({ mode: 'dryrun' });
  world.files.fault = (_, file) => (file === 'src/A.luau' ? never : undefined);
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  world.clock.advance(BUDGET_MS.write);
  const result = formatResult(await run.result);
  assert.deepEqual(Object.fromEntries(result.changes.map(change => [change.path, change.outcome])), {
    [path('A')]: 'unknown',
    [path('B')]: 'failed',
  });
  assert.match(
    result.changes.find(change => change.path === path('A'))?.reason ?? '',
    /^Timed out after \d+ ms waiting for src\/A\.luau to be written/,
  );
  assert.equal(world.files.text('src/B.luau'), 'return "disk B"\n');
});

test('reports the progress of the comparison, of the decisions and of both sides', async () => {
  const world = await syncWorld({ ...parts, person: review => review.setShownIn('harbor') });
  const said: string[] = [];
  const run = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  using _listening = run.onProgress(({ message }) => said.push(formatSentence(message)));
  world.studio.before = ({ type, ...command }) => {
    const requestId = 'requestId' in command ? command.requestId : '';
    if (type === 'compare') world.studio.sendRaw({ type: 'progress', requestId, done: 3, total: 9 });
    if (type === 'apply') world.studio.sendRaw({ type: 'progress', requestId, done: 1, total: 2 });
  };
  await settle();
  const [review] = world.reviews;
  const [first, second] = review?.snapshot().rows ?? [];
  assert.ok(review !== undefined && first !== undefined && second !== undefined);
  review.choose([first.id], 'pull');
  review.setShownIn(undefined);
  review.choose([second.id], 'pull');
  review.apply(review.snapshot().revision);
  formatResult(await run.result);
  const once = said.filter((line, index) => said.indexOf(line) === index);
  assert.deepEqual(once.slice(0, -1), [
    'Comparing disk with Studio',
    'Compared 3 of 9 instances',
    'Waiting for a person to decide',
    'A person is reviewing in VS Code (harbor): 0 of 2 changes decided',
    'A person is reviewing in VS Code (harbor): 1 of 2 changes decided',
    'Waiting for a decision: 1 of 2 changes decided. Run "Atlas Bridge: Review Changes" to open the review',
    'Waiting for a decision: 2 of 2 changes decided. Run "Atlas Bridge: Review Changes" to open the review',
    'Applying 2 changes',
    'Studio applied 1 of 2 changes',
    'Wrote 0 of 2 files',
    'Wrote 1 of 2 files',
    'Verifying both sides',
  ]);
  assert.match(once.at(-1) ?? '', /^Sync completed successfully/);
});
