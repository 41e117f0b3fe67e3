import { test } from 'node:test';
import assert from 'node:assert/strict';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { createStudioDirectory } from '../../../../src/core/studio/studio-directory.ts';
import type { ProjectInfo } from '../../../../src/core/sync/project-session.ts';
import type { StudioCommand } from '../../../../src/protocol/studio/stream.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { FakeStudio } from '../../../harness/fake-studio.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

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

function world(info: ProjectInfo = project) {
  const clock = new ManualClock();
  const log = memoryLog();
  const directory = createStudioDirectory({
    clock,
    log,
    random: sequentialRandom(),
    settings: defaultSettings(),
    sessionId: 'session',
    project: () => info,
    legacy: {
      session: () => {
        throw new AppError('NO_PROJECT', { folder: '/project', lookedFor: [] });
      },
      hasher: nodeHasher,
      lastRead: () => undefined,
    },
  });
  const studio = new FakeStudio(() => ({ sessionId: 'session', messageCursor: 0, instances: {} }), {});
  return { clock, log, directory, studio };
}

function connected() {
  const all = world();
  all.directory.accept(all.studio.channel);
  all.studio.hello();
  const link = all.directory.current();
  assert.ok(link);
  return { ...all, link };
}

test('a Studio is current after its hello, and gone after its socket closed', () => {
  const { directory, studio } = world();
  const seen: (string | undefined)[] = [];
  directory.onDidChange(link => seen.push(link?.hello.placeName));
  directory.accept(studio.channel);
  assert.equal(directory.current(), undefined);
  assert.equal(directory.isTaken(), true);
  studio.hello();
  studio.disconnect();
  assert.deepEqual(seen, ['Baseplate', undefined]);
  assert.equal(directory.isTaken(), false);
});

test('a second Studio is refused and the first stays', () => {
  const { directory, studio } = connected();
  const second = new FakeStudio(() => ({ sessionId: 's', messageCursor: 0, instances: {} }), {});
  const reasons: string[] = [];
  second.channel.onClosed(({ reason }) => reasons.push(reason));
  directory.accept(second.channel);
  assert.deepEqual(reasons, ['another Studio is connected']);
  studio.hello();
  assert.equal(directory.current()?.hello.placeName, 'Baseplate');
});

test('a Studio that never says hello is let go at its budget', () => {
  const { clock, directory, studio } = world();
  directory.accept(studio.channel);
  clock.advance(9_999);
  assert.equal(directory.isTaken(), true);
  clock.advance(1);
  assert.equal(directory.isTaken(), false);
  assert.equal(clock.pending, 0);
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
    assert.equal(directory.current() !== undefined, allowed);
  });

test('a plugin that lacks some capabilities is refused in words when a sync needs them', async () => {
  const { directory, studio } = world();
  directory.accept(studio.channel);
  studio.hello({ capabilities: ['requestIds'] });
  const link = directory.current();
  assert.ok(link);
  await assert.rejects(
    link.compare([], never, () => {}),
    { code: 'STUDIO_UNSUPPORTED', details: { missing: ['acknowledgedApply', 'stableIds'] } },
  );
});

test('silence ends the wait with the name of the missing signal, and tells Studio', async () => {
  const { clock, studio, link } = connected();
  studio.silent.add('compare');
  const waiting = link.compare([], never, () => {});
  clock.advance(1_500);
  await assert.rejects(waiting, { code: 'STUDIO_NOT_RESPONDING', details: { signal: 'received', budgetMs: 1_500 } });
  assert.equal(clock.pending, 0);
});

test('a command that is received and then stalls ends at the budget of its own signal', async () => {
  const { clock, studio, link } = connected();
  studio.stalled.add('read');
  const waiting = link.read('compare', ['a'], never);
  clock.advance(4_999);
  assert.equal(clock.pending, 1);
  clock.advance(1);
  await assert.rejects(waiting, { code: 'STUDIO_NOT_RESPONDING', details: { signal: 'instances', budgetMs: 5_000 } });
});

test('progress gives a comparison a new budget', async () => {
  const { clock, studio, link } = connected();
  studio.stalled.add('compare');
  const seen: number[] = [];
  const waiting = link.compare([], never, done => seen.push(done));
  clock.advance(29_000);
  const { requestId } = studio.commands[0] as StudioCommand;
  studio.sendRaw({ type: 'progress', requestId, done: 1000, total: 9000 });
  clock.advance(29_000);
  assert.deepEqual(seen, [1000]);
  clock.advance(1_000);
  await assert.rejects(waiting, { code: 'STUDIO_NOT_RESPONDING' });
});

test('replies with another id, of another kind, late or malformed are answers to nobody', async () => {
  const { clock, log, studio, link } = connected();
  studio.stalled.add('getScript');
  const waiting = link.getScript('a', false, never);
  const { requestId } = studio.commands[0] as StudioCommand;
  studio.sendRaw({ type: 'applied', requestId, results: [] });
  studio.sendRaw({ type: 'failed', requestId: 'other', code: 'x', message: 'x' });
  studio.sendRaw('not a message');
  clock.advance(5_000);
  await assert.rejects(waiting, { code: 'STUDIO_NOT_RESPONDING' });
  studio.sendRaw({ type: 'failed', requestId, code: 'late', message: 'late' });
  assert.equal(log.lines.filter(line => line.includes('dropped') || line.includes('refused')).length, 4);
});

test('a lost link ends every wait at once', async () => {
  const { clock, studio, link } = connected();
  studio.stalled.add('read').add('getScript');
  const waits = [link.read('c', ['a'], never), link.getScript('a', false, never)];
  studio.disconnect();
  for (const wait of waits) await assert.rejects(wait, { code: 'STUDIO_DISCONNECTED' });
  assert.equal(clock.pending, 0);
  await assert.rejects(link.read('c', ['a'], never), { code: 'STUDIO_DISCONNECTED' });
});

test('an abort stops the wait and tells Studio', async () => {
  const { studio, link } = connected();
  studio.stalled.add('compare');
  const abort = new AbortController();
  const waiting = link.compare([], abort.signal, () => {});
  abort.abort();
  await assert.rejects(waiting, { code: 'CANCELLED' });
  assert.equal(studio.cancelled.length, 1);
});
