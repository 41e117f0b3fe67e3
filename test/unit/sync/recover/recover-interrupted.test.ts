import { reasonOf, reasonText, toReason } from '../../../../src/protocol/reason.ts';
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { formatSentence } from '../../../../src/base/sentence.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import {
  type InterruptedRun,
  type RecoverDeps,
  recoverInterrupted,
} from '../../../../src/sync/recover/recover-interrupted.ts';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import type { SyncOverride } from '../../../../src/protocol/sync-request.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { JournalStore } from '../../../../src/ports/journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';
import { syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const names = ['a', 'b', 'c', 'd'];
const fileOf = (name: string): string => `src/${name}.luau`;
const pathOf = (name: string): string => `ServerScriptService/${name}`;

async function differing(): Promise<SyncWorld> {
  return await syncWorld({
    git: 'none',
    files: Object.fromEntries(names.map(name => [fileOf(name), `return "disk ${name}"\n`])),
    place: Object.fromEntries(
      names.map(name => [pathOf(name), { className: 'ModuleScript', source: `return "Studio ${name}"\n` }]),
    ),
  });
}

/** Starts to pull everything and hangs at write number `at`, like a killed process. */
async function cutOff(
  world: SyncWorld,
  at: number,
  directionOf: (path: string) => SyncOverride['direction'] = () => 'pull',
): Promise<string> {
  const { changes } = await world.sync({ mode: 'dryrun' });
  if (at > 0) world.files.fault = n => (n >= at ? new Promise<void>(() => undefined) : undefined);
  else world.studio.stalled.add('apply');
  const overrides = changes.map(({ id, path }) => ({ id, direction: directionOf(path) }));
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  assert.equal(run.phase(), 'applying');
  world.files.fault = undefined;
  world.journal.crash();
  return run.runId;
}
async function restart(world: SyncWorld, { clock = world.clock, journal = world.journal }: Partial<RecoverDeps> = {}) {
  const { files } = world;
  const log = memoryLog();
  const runs = await recoverInterrupted({ files, journal, hasher: nodeHasher, clock, log });
  return { runs, log };
}
const texts = (world: SyncWorld) => names.map(name => /"(\w+)/.exec(world.files.text(fileOf(name)) ?? '')?.[1]);
const endingOf = async (world: SyncWorld, runId: string) => (await world.journal.find(runId))?.ending as JournalEnding;

test('[P1] finishes and reports a pull that was interrupted between two files', async () => {
  const world = await differing();
  const runId = await cutOff(world, 3);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'disk', 'disk']);
  const { runs, log } = await restart(world);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'Studio', 'Studio']);
  assert.equal(runs.length, 1);
  assert.match(summaryOf(runs[0]), /So far 4 written to disk\. Nothing is left/);
  assert.ok(log.lines.some(line => line.includes('interrupted')));
  const ending = await endingOf(world, runId);
  assert.equal(ending.status, 'interrupted');
  assert.deepEqual(
    ending.outcomes.map(({ outcome }) => outcome),
    ['written', 'written', 'written', 'written'],
  );
  assert.deepEqual((await restart(world)).runs, []);
});

test('finishes and reports an interrupted pull when the end of it cannot be recorded', async () => {
  const world = await differing();
  const runId = await cutOff(world, 2);
  const finish = mock.method(world.journal, 'finish', () => Promise.reject(new Error('no space left on device')));
  const { runs } = await restart(world);
  assert.deepEqual(
    runs.map(run => run.runId),
    [runId],
  );
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'Studio', 'Studio']);
  finish.mock.restore();
  assert.equal((await restart(world)).runs.length, 1);
  assert.equal((await endingOf(world, runId)).status, 'interrupted');
});

test('says how many files an interrupted pull deleted', async () => {
  const world = await differing();
  for (const name of ['c', 'd']) world.studio.place.delete(pathOf(name));
  await cutOff(world, 2);
  const { runs } = await restart(world);
  assert.deepEqual(texts(world), ['Studio', 'Studio', undefined, undefined]);
  assert.match(summaryOf(runs[0]), /So far 2 written to disk, 2 deleted from disk\. Nothing is left/);
});

test('says how many changes an interrupted run pushed to Studio', async () => {
  const world = await differing();
  await cutOff(world, 1, path => (path === pathOf('d') ? 'pull' : 'push'));
  const { runs } = await restart(world);
  assert.match(summaryOf(runs[0]), /So far 3 pushed to Studio, 1 failed or unknown\. Start with a dry run/);
});

test('says that the end could not be recorded, and completes the record at the next start', async () => {
  const world = await differing();
  const finish = mock.method(world.journal, 'finish', async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
  assert.equal(result.status, 'success');
  assert.match(
    result.warnings?.join() ?? '',
    /The end of this sync could not be recorded; the next start of Atlas Bridge completes the record/,
  );
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'Studio', 'Studio']);
  finish.mock.restore();
  world.journal.crash();
  const { runs } = await restart(world);
  assert.match(summaryOf(runs[0]), /So far 4 written to disk\. Nothing is left/);
  const ending = await endingOf(world, result.runId);
  assert.deepEqual(
    ending.outcomes.map(({ outcome }) => outcome),
    ['written', 'written', 'written', 'written'],
  );
  assert.deepEqual(await world.journal.unfinished(), []);
});

test('finishes a merge that Studio had confirmed, and reports an unconfirmed one as unknown', async () => {
  for (const isConfirmed of [true, false]) {
    const common = (name: string): string => `local ${name} = 1\n\nreturn ${name}\n`;
    const world = await syncWorld({
      git: 'none',
      settings: { mergeAuto: () => 'apply' },
      files: Object.fromEntries(names.map(name => [fileOf(name), common(name)])),
      place: Object.fromEntries(names.map(name => [pathOf(name), { className: 'ModuleScript', source: common(name) }])),
    });
    await world.sync();
    for (const name of names) {
      world.files.set(fileOf(name), `-- disk\n${common(name)}`);
      world.studio.edit(pathOf(name), `${common(name)}-- Studio\n`);
    }
    if (isConfirmed) world.files.fault = n => (n >= 2 ? new Promise<void>(() => undefined) : undefined);
    else world.studio.stalled.add('apply');
    const run = world.engine.start({ mode: 'standard', overrides: [], requestedBy: 'test' });
    await settle();
    assert.equal(run.phase(), 'applying');
    world.files.fault = undefined;
    world.journal.crash();
    await restart(world);
    const { outcomes } = await endingOf(world, run.runId);
    const expected = isConfirmed ? 'merged' : 'unknown';
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      names.map(() => expected),
    );
    for (const name of names)
      assert.equal(
        world.files.text(fileOf(name)),
        isConfirmed ? `-- disk\n${common(name)}-- Studio\n` : `-- disk\n${common(name)}`,
      );
  }
});

test('writes nothing of a record that is older than a week, or of a damaged journal', async () => {
  const world = await differing();
  await cutOff(world, 3);
  const before = texts(world);
  const unfinished = await world.journal.unfinished();
  const damaged = Object.assign(Object.create(world.journal) as JournalStore, {
    unfinished: async () => unfinished.map(entry => ({ ...entry, damage: 'segment, byte 7' })),
    finish: async () => undefined,
  });
  assert.match(summaryOf((await restart(world, { journal: damaged })).runs[0]), /damaged at segment, byte 7/);
  for (const days of [8, -40]) {
    const date = (): string => new Date(Date.parse(world.clock.date()) + days * 24 * 60 * 60 * 1000).toISOString();
    const journal = Object.assign(Object.create(damaged) as JournalStore, { unfinished: async () => unfinished });
    const { runs } = await restart(world, {
      clock: { now: () => world.clock.now(), date, after: (ms, fn) => world.clock.after(ms, fn) },
      journal,
    });
    assert.match(summaryOf(runs[0]), /too old/);
  }
  assert.deepEqual(texts(world), before);
  await restart(world);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'Studio', 'Studio']);
});

test('keeps and reports a file that was changed after the crash', async () => {
  const world = await differing();
  const runId = await cutOff(world, 2);
  world.files.set(fileOf('c'), 'return "mine"\n');
  await restart(world);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'mine', 'Studio']);
  const { outcomes } = await endingOf(world, runId);
  assert.deepEqual(
    outcomes.find(one => one.outcome === 'failed')?.reason,
    reasonOf('changed_since_interruption', 'src/c.luau'),
  );
});

/** Pulls everything, while the end of the run cannot be recorded. Then this process ends. */
async function pullUnrecorded(world: SyncWorld): Promise<string> {
  const finish = mock.method(world.journal, 'finish', () => Promise.reject(new Error('no space left on device')));
  const { changes } = await world.sync({ mode: 'dryrun' });
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const { status, runId } = await world.sync({ overrides });
  assert.equal(status, 'success');
  finish.mock.restore();
  world.journal.crash();
  return runId;
}

for (const reverted of names)
  test(`[P1] keeps ${fileOf(reverted)} that was reverted when the end of the pull could not be recorded`, async () => {
    const world = await differing();
    const runId = await pullUnrecorded(world);
    world.files.set(fileOf(reverted), `return "disk ${reverted}"\n`);
    const { runs } = await restart(world);
    assert.deepEqual(
      texts(world),
      names.map(name => (name === reverted ? 'disk' : 'Studio')),
    );
    assert.match(summaryOf(runs[0]), /So far 3 written to disk, 1 failed or unknown/);
    const { outcomes } = await endingOf(world, runId);
    assert.deepEqual(
      outcomes.find(one => one.outcome === 'failed')?.reason,
      reasonOf('changed_since_interruption', fileOf(reverted)),
    );
  });

test('[P1] keeps a file that was reverted after the crash, and writes the others', async () => {
  const world = await differing();
  await cutOff(world, 3);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'disk', 'disk']);
  world.files.set(fileOf('b'), 'return "disk b"\n');
  await restart(world);
  assert.deepEqual(texts(world), ['Studio', 'disk', 'Studio', 'Studio']);
});

test('[P1] does not create again a file that was deleted when the end of the pull could not be recorded', async () => {
  const world = await differing();
  for (const name of ['a', 'b']) world.files.delete(fileOf(name));
  await pullUnrecorded(world);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'Studio', 'Studio']);
  world.files.delete(fileOf('a'));
  await restart(world);
  assert.deepEqual(texts(world), [undefined, 'Studio', 'Studio', 'Studio']);
});

test('writes nothing when Studio had not confirmed, or when every file was changed back', async () => {
  const before = await differing();
  await cutOff(before, 0);
  const { runs } = await restart(before);
  assert.deepEqual(texts(before), ['disk', 'disk', 'disk', 'disk']);
  assert.match(summaryOf(runs[0]), /4 failed or unknown/);

  const back = await differing();
  await cutOff(back, 3);
  for (const name of names) back.files.set(fileOf(name), `return "disk ${name}"\n`);
  await restart(back);
  assert.deepEqual(texts(back), ['disk', 'disk', 'disk', 'disk']);
});

test('reports an interrupted push as unknown', async () => {
  const world = await differing();
  const runId = await cutOff(world, 0, () => 'push');
  await restart(world);
  const { outcomes } = await endingOf(world, runId);
  assert.ok(
    outcomes.every(
      ({ outcome, reason }) => outcome === 'unknown' && /did not confirm/.test(reasonText(toReason(reason ?? ''))),
    ),
  );
});

test('leaves a run of another process alone at any time, and a record of another version', async () => {
  const world = await differing();
  await world.journal.append('elsewhere', { version: 1 }, new Map());
  assert.deepEqual((await restart(world)).runs, []);
  // A clock that jumps does not end a living run.
  for (const days of [40, -40]) {
    const date = (): string => new Date(Date.parse(world.clock.date()) + days * 24 * 60 * 60 * 1000).toISOString();
    const clock = Object.assign(Object.create(world.clock) as Clock, { date });
    assert.deepEqual((await restart(world, { clock })).runs, []);
    assert.equal((await world.journal.find('elsewhere'))?.ending, undefined);
  }
  world.journal.crash();
  await world.journal.append('newer', { version: 99 }, new Map());
  world.journal.crash();
  assert.match(summaryOf((await restart(world)).runs[1]), /a different version/);
});

test('refuses a path in the journal that is outside the project', async () => {
  const world = await differing();
  const runId = await cutOff(world, 3);
  const entry = await world.journal.find(runId);
  const record = entry?.record as { writes: { path: string }[] };
  await world.journal.append('forged', { ...record, writes: [{ ...record.writes[0], path: '../out' }] }, new Map());
  await world.journal.note('forged', (entry?.notes ?? [])[0]);
  world.journal.crash();
  const { runs } = await restart(world);
  assert.match(summaryOf(runs[1]), /not a path of the project/);
  assert.deepEqual(texts(world), ['Studio', 'Studio', 'Studio', 'Studio'], 'the valid record was still recovered');
});

const summaryOf = (run: InterruptedRun | undefined): string => (run === undefined ? '' : formatSentence(run.sentence));
