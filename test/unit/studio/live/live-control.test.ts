import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { formatSentence } from '../../../../src/base/sentence.ts';
import type { LiveMode } from '../../../../src/ports/settings.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import type { RunResult } from '../../../../src/protocol/run-result.ts';
import type { LiveFromPlugin, LiveToPlugin } from '../../../../src/protocol/studio/live.ts';
import { createLiveControl, type LiveControlDeps, type SyncStarter } from '../../../../src/studio/live/live-control.ts';
import { serveProject } from '../../../../src/studio/served-project.ts';
import type { StudioLink, UnreadableLive } from '../../../../src/studio/studio-link.ts';
import { createLiveBases } from '../../../../src/sync/base/live-bases.ts';
import { createFileTransactions } from '../../../../src/sync/transactions/file-transactions.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { FakeGit } from '../../../harness/fake-git.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { settle } from '../../../harness/settle.ts';
import { until } from '../../../harness/until.ts';

/** A Studio whose messages a test fires. */
function fakeStudio(handle: string) {
  const sent: LiveToPlugin[] = [];
  const message = new Emitter<LiveFromPlugin>();
  const closed = new Emitter<{ readonly reason: string }>();
  const link = {
    handle,
    epoch: 1,
    hello: { placeId: 0, placeName: `Place of ${handle}`, placeVersion: 0 },
    isOpen: () => true,
    live: {
      send: async (one: LiveToPlugin) => void sent.push(one),
      onMessage: message.event,
      onUnreadable: new Emitter<UnreadableLive>().event,
      appliesAtStart: false,
      onClosed: closed.event,
    },
  } as unknown as StudioLink;
  const ready = (undecided: number): void => message.fire({ type: 'liveReady', cursor: 1, undecided });
  const needSync = (text: string): void => message.fire({ type: 'liveNeedsSync', reason: reasonOf('quoted', text) });
  const starts = (): number => sent.filter(one => one.type === 'live' && one.mode !== 'off').length;
  return { link, sent, message, ready, needSync, starts };
}

type Ended = Awaited<NonNullable<ReturnType<SyncStarter['current']>>['result']>;
const pulled = { id: 'x', patchType: 'Edit', outcome: 'written' } as unknown as RunResult['changes'][number];
const left = { id: 'y', patchType: 'Edit', outcome: 'skipped' } as unknown as RunResult['changes'][number];

/** Live Sync with Studios in one project. */
async function world(handles: readonly string[], changed: Partial<LiveControlDeps> = {}) {
  const project = await openProject(smallProject({ 'src/A.luau': '0' }));
  const { clock, files } = project;
  const stores = { files, journal: new MemoryJournalStore() };
  const shared = { clock, hasher: nodeHasher, log: memoryLog(), random: sequentialRandom(), reflection, ...stores };
  const served = serveProject(project.session, { ...shared, git: new FakeGit(), sessionId: 'session' });
  const studios = handles.map(fakeStudio);
  let connected = studios.map(({ link }) => link);
  const connections = new Emitter<void>();
  const runs = new Emitter<void>();
  let current: ReturnType<SyncStarter['current']>;
  const reviews: (string | undefined)[] = [];
  let elsewhere: string | undefined;
  const control = createLiveControl({
    ...shared,
    studios: { all: () => connected, onDidChange: connections.event },
    served: () => served,
    onDidServe: new Emitter<void>().event,
    engine: {
      current: () => current,
      onDidChange: runs.event,
      start: ({ studio }) => {
        reviews.push(studio);
        return { result: Promise.resolve({ status: elsewhere === undefined ? 'success' : 'sync_in_progress' }) };
      },
      runElsewhere: () => Promise.resolve(elsewhere),
    },
    bases: createLiveBases({ ...shared, bases: new MemoryBaseStore(), baseTexts: { store: () => undefined } }),
    transactions: createFileTransactions({ ...shared, limits: () => ({ maxBytes: 1e9, maxDays: 1 }) }),
    canReview: true,
    settings: defaultSettings({ live: (): LiveMode => 'twoWay' }),
    ...changed,
  });
  const needed: string[] = [];
  control.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  /** Begins a run. @returns a function that ends it */
  const run = () => {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    current = { result: promise };
    runs.fire();
    return async (result: Ended): Promise<void> => {
      current = undefined;
      resolve(result);
      runs.fire();
      await settle();
    };
  };
  const connect = (links: readonly StudioLink[]): void => {
    connected = Array.from(links);
    connections.fire();
  };
  /** Begins or ends a run of another window. */
  const runElsewhere = (runId: string | undefined): void => void (elsewhere = runId);
  return { ...project, served, control, studios, connect, reviews, needed, run, runElsewhere };
}

/** The only Studio of a world. */
function studioOf({ studios: [only] }: Awaited<ReturnType<typeof world>>) {
  assert.ok(only !== undefined);
  return only;
}

test('starts one review for all reasons of a moment, and says them', async () => {
  const project = await world(['studio-1']);
  const { control, clock, reviews, needed } = project;
  const studio = studioOf(project);
  studio.ready(0);
  studio.needSync('one');
  clock.advance(499);
  studio.needSync('two');
  studio.needSync('two');
  clock.advance(499);
  assert.deepEqual([reviews, needed], [[], []]);
  clock.advance(1);
  assert.deepEqual([reviews, needed], [['studio-1'], ['"one"; "two"']]);
  clock.advance(10_000);
  assert.equal(reviews.length, 1);
  control[Symbol.dispose]();
});

test('reports the reason, and starts no review, where no person can be asked', async () => {
  const project = await world(['studio-1'], { canReview: false });
  const { control, clock, reviews, needed } = project;
  studioOf(project).ready(1);
  clock.advance(500);
  assert.deepEqual([reviews, needed], [[], ['1 instance differs between disk and Studio']]);
  control[Symbol.dispose]();
});

test('starts a review after a run that answered nothing', async () => {
  const project = await world(['studio-1']);
  const { control, clock, reviews, run } = project;
  const studio = studioOf(project);
  studio.ready(0);
  const end = run();
  studio.needSync('one');
  clock.advance(500);
  assert.deepEqual(reviews, []);
  await end({ status: 'rejected', changes: [], studio: 'studio-1' });
  clock.advance(500);
  assert.deepEqual([reviews, studio.starts()], [['studio-1'], 1]);
  control[Symbol.dispose]();
});

test('compares again instead of a review after a run that changed something', async () => {
  const project = await world(['studio-1']);
  const { control, clock, reviews, run } = project;
  const studio = studioOf(project);
  studio.ready(0);
  const end = run();
  studio.needSync('one');
  clock.advance(500);
  await end({ status: 'success', changes: [pulled, left], studio: 'studio-1' });
  clock.advance(500);
  assert.deepEqual([reviews, studio.starts()], [[], 2]);
  studio.ready(1);
  clock.advance(500);
  assert.deepEqual(reviews, ['studio-1'], 'the question came up during the run');
  control[Symbol.dispose]();
});

test('asks about the differences of a Studio after a run with another one left as many', async () => {
  const { control, clock, studios, reviews, needed, run } = await world(['studio-1', 'studio-2']);
  for (const { ready } of studios) ready(1);
  clock.advance(500);
  clock.advance(500);
  assert.deepEqual(reviews, ['studio-1', 'studio-2']);
  assert.equal(needed[0], 'studio-1 (Place of studio-1): 1 instance differs between disk and Studio');
  await run()({ status: 'success', changes: [pulled, left], studio: 'studio-1' });
  for (const { ready } of studios) ready(1);
  clock.advance(500);
  clock.advance(500);
  assert.deepEqual(reviews, ['studio-1', 'studio-2', 'studio-2']);
  const starts = studios.map(studio => studio.starts());
  await run()({ status: 'empty', changes: [], studio: 'studio-1' });
  assert.deepEqual(
    studios.map((studio, index) => studio.starts() - (starts[index] ?? 0)),
    [1, 0],
  );
  control[Symbol.dispose]();
});

test('asks nothing about a session that has ended while an edit was compared', async () => {
  const project = await world(['studio-1']);
  const { control, clock, served, reviews, needed, files } = project;
  const studio = studioOf(project);
  studio.ready(0);
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  files.set('src/A.luau', 'disk');
  const baseHash = nodeHasher.gitBlob(Buffer.from('0'));
  const refresh = served.session.refresh.bind(served.session);
  served.session.refresh = async (...args) => {
    await refresh(...args);
    control.setMode('off');
  };
  studio.message.fire({
    type: 'liveEdit',
    seq: 1,
    edits: [{ id, source: 'Studio', baseHash, properties: {}, base: {} }],
  });
  await until(() => control.mode() === 'off');
  await settle();
  clock.advance(500);
  assert.deepEqual([reviews, needed], [[], []]);
  control[Symbol.dispose]();
});

test('waits while no project is served', async () => {
  const { control, studios } = await world(['studio-1'], { served: () => undefined });
  assert.equal(control.state().kind, 'waiting');
  assert.deepEqual(studios[0]?.sent, []);
  control[Symbol.dispose]();
});

test('has the worst state of all Studios, and ends the session of one that disconnects', async () => {
  const { control, studios, connect } = await world(['studio-1', 'studio-2']);
  const [one, two] = studios;
  assert.ok(one !== undefined && two !== undefined);
  one.ready(0);
  assert.equal(control.state().kind, 'starting');
  two.message.fire({ type: 'liveFailed', message: reasonOf('no_reply') });
  assert.equal(control.state().kind, 'failed');
  connect([one.link]);
  assert.equal(control.state().kind, 'on');
  connect([one.link, { ...two.link, live: undefined }]);
  assert.equal(control.state().kind, 'unsupported');
  connect([]);
  assert.equal(control.state().kind, 'waiting');
  connect([one.link]);
  assert.equal(one.starts(), 2);
  control.setMode('off');
  assert.equal(control.state().kind, 'off');
  const lastMode = (): string | undefined => one.sent.flatMap(sent => (sent.type === 'live' ? [sent.mode] : [])).at(-1);
  assert.equal(lastMode(), 'off');
  control.setMode('diskToStudio');
  assert.equal(lastMode(), 'diskToStudio');
  control.setMode(undefined);
  assert.equal(control.mode(), 'twoWay');
  control[Symbol.dispose]();
});

test('starts the review again when the run of another window that prevented it has ended', async () => {
  const project = await world(['studio-1']);
  const { control, clock, reviews, needed, runElsewhere } = project;
  const studio = studioOf(project);
  studio.ready(0);
  runElsewhere('other');
  studio.needSync('one');
  clock.advance(500);
  await settle();
  for (let seconds = 0; seconds < 60; seconds += 2) {
    clock.advance(2000);
    await settle();
  }
  assert.deepEqual([reviews.length, needed], [1, ['"one"']]);
  runElsewhere(undefined);
  clock.advance(2000);
  await settle();
  assert.deepEqual([reviews.length, needed], [2, ['"one"', '"one"']]);
  clock.advance(60_000);
  await settle();
  assert.equal(reviews.length, 2);
  control[Symbol.dispose]();
});

test('starts no review after Live Sync was turned off while another window had a run', async () => {
  const project = await world(['studio-1']);
  const { control, clock, reviews, runElsewhere } = project;
  const studio = studioOf(project);
  studio.ready(0);
  runElsewhere('other');
  studio.needSync('one');
  clock.advance(500);
  await settle();
  control.setMode('off');
  runElsewhere(undefined);
  clock.advance(10_000);
  await settle();
  assert.equal(reviews.length, 1);
  control[Symbol.dispose]();
});
