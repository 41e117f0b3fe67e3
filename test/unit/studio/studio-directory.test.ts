import { test } from 'node:test';
import assert from 'node:assert/strict';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { AppError } from '../../../src/base/errors.ts';
import { createStudioDirectory } from '../../../src/studio/studio-directory.ts';
import type { ProjectInfo } from '../../../src/project/project-session.ts';
import { FEED_LIMITS } from '../../../src/protocol/limits.ts';
import type { StudioCommand } from '../../../src/protocol/studio/stream.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { settle } from '../../harness/settle.ts';
import { FakeStudio } from '../../harness/fake-studio.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { sequentialRandom } from '../../harness/sequential-random.ts';

const project: ProjectInfo = {
  name: 'harbor',
  projectFile: 'default.project.json' as ProjectInfo['projectFile'],
  dialect: 'rojo',
  servePlaceIds: undefined,
  blockedPlaceIds: undefined,
  gameId: undefined,
  placeId: undefined,
  ignoreHiddenServices: true,
  syncScriptsOnly: false,
};
const never = new AbortController().signal;

function world(info: ProjectInfo = project, settings = defaultSettings()) {
  const clock = new ManualClock();
  const log = memoryLog();
  const directory = createStudioDirectory({
    clock,
    log,
    random: sequentialRandom(),
    settings,
    sessionId: 'session',
    project: () => info,
    legacy: {
      session: () => {
        throw new AppError('NO_PROJECT', { folder: '/project', lookedFor: [] });
      },
      hasher: nodeHasher,
      lastRead: () => undefined,
      onRequest: () => ({ [Symbol.dispose]: () => undefined }),
    },
  });
  const studio = new FakeStudio(() => ({ sessionId: 'session', messageCursor: 0, instances: {} }), {});
  return { clock, log, directory, studio };
}

/** A directory that any number of Studios join. */
function crowd() {
  const all = world();
  const join = (hello: object = {}, onClosed: (reason: string) => void = () => {}): FakeStudio => {
    const studio = new FakeStudio(() => ({ sessionId: 's', messageCursor: 0, instances: {} }), {});
    studio.channel.onClosed(({ reason }) => onClosed(reason));
    all.directory.accept(studio.channel);
    studio.hello(hello);
    return studio;
  };
  return { ...all, join };
}

function connected() {
  const all = world();
  all.directory.accept(all.studio.channel);
  all.studio.hello();
  const link = all.directory.all()[0];
  assert.ok(link);
  return { ...all, link };
}

test('lists a Studio after its hello and removes it when its socket closes', () => {
  const { directory, studio } = world();
  const seen: number[] = [];
  directory.onDidChange(() => seen.push(directory.all().length));
  directory.accept(studio.channel);
  assert.deepEqual(directory.all(), []);
  studio.hello();
  studio.disconnect();
  assert.deepEqual(seen, [1, 0]);
});

test('keeps the handle of each Studio when it reconnects', () => {
  const { directory, join } = crowd();
  const first = join({ studioId: 'a' });
  join({ studioId: 'b' });
  const handles = () => directory.all().map(link => link.handle);
  assert.deepEqual(handles(), ['studio-1', 'studio-2']);
  first.disconnect();
  assert.deepEqual(handles(), ['studio-2']);
  join({ studioId: 'c' });
  join({ studioId: 'a' });
  assert.deepEqual(handles(), ['studio-2', 'studio-3', 'studio-1']);
});

test('replaces a broken link, and ends its waits, when the Studio reconnects', async () => {
  const { directory, join } = crowd();
  const before = join({ studioId: 'a' });
  before.stalled.add('read');
  const waiting = directory.all()[0]?.read('c', ['x'], never);
  join({ studioId: 'a' });
  await assert.rejects(waiting ?? Promise.resolve(), { code: 'STUDIO_DISCONNECTED' });
  assert.deepEqual(
    directory.all().map(({ handle, epoch }) => [handle, epoch]),
    [['studio-1', 2]],
  );
});

test('rejects a Studio above the limit until another one disconnects', () => {
  const { directory, join } = crowd();
  const studios = Array.from({ length: FEED_LIMITS.studios }, () => join());
  const reasons: string[] = [];
  join({}, reason => reasons.push(reason));
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? '', /limit of 8 connected Studios/);
  studios[0]?.disconnect();
  join({}, reason => reasons.push(reason));
  assert.equal(reasons.length, 1);
  assert.equal(directory.all().length, FEED_LIMITS.studios);
});

test('allows an unmodified plugin only as the single connection', () => {
  const { directory, join, log } = crowd();
  const ours = join();
  const reasons: string[] = [];
  const record = (reason: string): void => void reasons.push(reason);
  for (let tries = 0; tries < 3; tries += 1) join({ capabilities: [] }, record);
  assert.equal(reasons.length, 3);
  assert.match(reasons[0] ?? '', /unmodified plugin is connected, which allows no other/);
  // The plugin retries forever, so the warning is logged once.
  assert.equal(log.lines.filter(line => line.includes('Studio rejected') && line.startsWith('warn')).length, 1);
  ours.disconnect();
  const theirs = join({ capabilities: [] });
  join({}, record);
  assert.match(reasons.at(-1) ?? '', /no other connection/);
  theirs.disconnect();
  join({}, record);
  assert.equal(reasons.length, 4);
  assert.equal(directory.all().length, 1);
});

test('disconnects a Studio when its hello times out', () => {
  const { clock, directory, studio } = world();
  const reasons: string[] = [];
  studio.channel.onClosed(({ reason }) => reasons.push(reason));
  directory.accept(studio.channel);
  clock.advance(9_999);
  assert.deepEqual(reasons, []);
  clock.advance(1);
  assert.deepEqual(reasons, ['timed out after 10000 ms waiting for hello']);
  assert.equal(clock.pending, 0);
});

test('names the real time limit of a hello when the multiplier is set', () => {
  const { clock, directory, studio } = world(project, defaultSettings({ timeoutMultiplier: () => 1.5 }));
  const reasons: string[] = [];
  studio.channel.onClosed(({ reason }) => reasons.push(reason));
  directory.accept(studio.channel);
  clock.advance(15_000);
  assert.deepEqual(reasons, ['timed out after 15000 ms waiting for hello']);
});

for (const [name, lists, allowed] of [
  ['a place that servePlaceIds names', { servePlaceIds: [7] }, true],
  ['a place that servePlaceIds does not name', { servePlaceIds: [8] }, false],
  ['any place when servePlaceIds is empty', { servePlaceIds: [] }, false],
  ['a place that blockedPlaceIds names', { blockedPlaceIds: [7] }, false],
] as const)
  test(`${name} is ${allowed ? 'accepted' : 'refused'}`, () => {
    const { directory, studio } = world({ ...project, ...lists });
    directory.accept(studio.channel);
    studio.hello();
    assert.equal(directory.all().length > 0, allowed);
  });

test('reports missing capabilities when a sync needs them', async () => {
  const { directory, studio } = world();
  directory.accept(studio.channel);
  studio.hello({ capabilities: ['requestIds'] });
  const link = directory.all()[0];
  assert.ok(link);
  await assert.rejects(
    link.compare([], never, () => {}),
    { code: 'STUDIO_UNSUPPORTED', details: { missing: ['acknowledgedApply', 'stableIds'] } },
  );
});

test('times out with the name of the missing signal and cancels in Studio', async () => {
  const { clock, studio, link } = connected();
  studio.silent.add('compare');
  const waiting = link.compare([], never, () => {});
  clock.advance(6_000);
  await assert.rejects(waiting, { code: 'STUDIO_BUSY', details: { signal: 'received', budgetMs: 6_000 } });
  assert.equal(clock.pending, 0);
});

test('times out a command that stalls after it was received', async () => {
  const { clock, studio, link } = connected();
  studio.stalled.add('read');
  const waiting = link.read('compare', ['a'], never);
  clock.advance(4_999);
  assert.equal(clock.pending, 1);
  clock.advance(1);
  await assert.rejects(waiting, { code: 'STUDIO_BUSY', details: { signal: 'instances', budgetMs: 5_000 } });
});

test('restarts the timeout of a comparison on progress', async () => {
  const { clock, studio, link } = connected();
  studio.stalled.add('compare');
  const seen: number[] = [];
  const waiting = link.compare([], never, done => seen.push(done));
  // Time passes between turns of the event loop, never within one.
  await settle();
  clock.advance(29_000);
  const { requestId } = studio.commands[0] as StudioCommand;
  studio.sendRaw({ type: 'progress', requestId, done: 1000, total: 9000 });
  clock.advance(29_000);
  assert.deepEqual(seen, [1000]);
  clock.advance(1_000);
  await assert.rejects(waiting, { code: 'STUDIO_BUSY' });
});

test('ignores replies with an unknown id or type, late replies and invalid messages', async () => {
  const { clock, log, studio, link } = connected();
  studio.stalled.add('getScript');
  const waiting = link.getScript('a', false, never, undefined);
  const { requestId } = studio.commands[0] as StudioCommand;
  studio.sendRaw({ type: 'applied', requestId, results: [] });
  studio.sendRaw({ type: 'failed', requestId: 'other', code: 'x', message: 'x' });
  studio.sendRaw('not a message');
  clock.advance(5_000);
  await assert.rejects(waiting, { code: 'STUDIO_BUSY' });
  studio.sendRaw({ type: 'failed', requestId, code: 'late', message: 'late' });
  assert.equal(log.lines.filter(line => line.includes('ignored a') || line.includes('invalid message')).length, 4);
});

test('ends every wait at once when the link closes', async () => {
  const { clock, studio, link } = connected();
  studio.stalled.add('read').add('getScript');
  const waits = [link.read('c', ['a'], never), link.getScript('a', false, never, undefined)];
  studio.disconnect();
  for (const wait of waits) await assert.rejects(wait, { code: 'STUDIO_DISCONNECTED' });
  // The end of the turn in which the last frame arrived.
  clock.advance(0);
  assert.equal(clock.pending, 0);
  await assert.rejects(link.read('c', ['a'], never), { code: 'STUDIO_DISCONNECTED' });
});

test('stops the wait and cancels in Studio on abort', async () => {
  const { studio, link } = connected();
  studio.stalled.add('compare');
  const abort = new AbortController();
  const waiting = link.compare([], abort.signal, () => {});
  abort.abort();
  await assert.rejects(waiting, { code: 'CANCELLED' });
  assert.equal(studio.cancelled.length, 1);
});

test("logs lines of Studio's console at their level, and treats none as an answer", async () => {
  const { log, studio, link } = connected();
  studio.stalled.add('read');
  const abort = new AbortController();
  const waiting = link.read('c', ['x'], abort.signal);
  for (const [message, level] of [
    ['printed', 0],
    ['a line', 1],
    ['careful', 2],
    ['broken', 3],
    ['[Rojo-Debug] small talk', 2],
    ['[Rojo-Warn] odd', 0],
    ['[Rojo-Else] as it is', 1],
    ['of an engine to come', 9],
  ] as const)
    studio.sendRaw({ type: 'roblox_log', message, level });
  abort.abort();
  await assert.rejects(waiting, { code: 'CANCELLED' });
  assert.deepEqual(
    log.lines.filter(line => line.includes('Studio output')),
    [
      'debug Studio output {"line":"printed"}',
      'info Studio output {"line":"a line"}',
      'warn Studio output {"line":"careful"}',
      'error Studio output',
      'debug Studio output {"line":"small talk"}',
      'warn Studio output {"line":"odd"}',
      'info Studio output {"line":"[Rojo-Else] as it is"}',
      'debug Studio output {"line":"of an engine to come"}',
    ],
  );
});

test('lets only a Studio that proved a key decide reviews', () => {
  const { directory } = world();
  for (const isProved of [undefined, false, true]) {
    const studio = new FakeStudio(() => ({ sessionId: '', messageCursor: 0, instances: {} }), {});
    directory.accept(studio.channel, undefined, isProved);
    studio.hello({ capabilities: ['acknowledgedApply', 'stableIds', 'requestIds', 'review'] });
    assert.equal(directory.all().at(-1)?.review !== undefined, isProved === true);
  }
});
