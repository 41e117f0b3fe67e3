import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { followSides } from '../../../src/review/follow-sides.ts';
import type { RunChange } from '../../../src/sync/changes/run-change.ts';
import { ManualClock } from '../../harness/manual-clock.ts';

function world(compare: () => Promise<readonly RunChange[]>) {
  const clock = new ManualClock();
  const disk = new Emitter<void>();
  const calls: string[] = [];
  let moved = false;
  const follower = followSides({
    clock,
    onDidChangeSide: disk.event,
    hasChanged: () => moved,
    async compare() {
      moved = false;
      calls.push('compare');
      return await compare();
    },
    review: {
      setComparing: () => undefined,
      replace: () => void calls.push('replace'),
    },
  });
  const move = (): void => {
    moved = true;
    disk.fire();
  };
  return { clock, calls, follower, move };
}
const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('compares once after a burst of changes', async () => {
  const { clock, calls, move } = world(async () => []);
  for (let times = 0; times < 5; times += 1) move();
  assert.deepEqual(calls, []);
  clock.advance(1_000);
  await settle();
  assert.deepEqual(calls, ['compare', 'replace']);
});

test('compares again when a side changes during a comparison', async () => {
  const first = Promise.withResolvers<readonly RunChange[]>();
  const answers = [first.promise, Promise.resolve([])];
  const { clock, calls, follower, move } = world(() => answers.shift()!);
  follower.refresh();
  move();
  clock.advance(1_000);
  follower.refresh();
  assert.deepEqual(calls, ['compare']);
  first.resolve([]);
  await follower.settled();
  assert.deepEqual(calls, ['compare', 'replace', 'compare', 'replace']);
});

test('does not compare again for changes that the comparison has read', async () => {
  const { clock, calls, follower } = world(async () => []);
  follower.refresh();
  await follower.settled();
  clock.advance(5_000);
  await settle();
  assert.deepEqual(calls, ['compare', 'replace']);
});

test('retries while the project is changing and fails when it never settles', async () => {
  const { clock, calls, follower } = world(async () => {
    throw new AppError('PROJECT_CHANGING', { tries: 3 });
  });
  follower.refresh();
  for (let times = 0; times < 6; times += 1) {
    await settle();
    clock.advance(1_000);
  }
  await assert.rejects(follower.failed, { code: 'PROJECT_CHANGING' });
  assert.equal(calls.length, 5);
});

test('neither compares nor replaces after disposal', async () => {
  const answer = Promise.withResolvers<readonly RunChange[]>();
  const { clock, calls, follower, move } = world(() => answer.promise);
  follower.refresh();
  follower[Symbol.dispose]();
  answer.resolve([]);
  await settle();
  move();
  clock.advance(1_000);
  assert.deepEqual(calls, ['compare']);
});

test('fails the review when it cannot show that both sides are compared', async () => {
  const follower = followSides({
    clock: new ManualClock(),
    onDidChangeSide: new Emitter<void>().event,
    hasChanged: () => true,
    compare: async () => [],
    review: {
      setComparing() {
        throw new Error('the page is closed');
      },
      replace: () => undefined,
    },
  });
  follower.refresh();
  await assert.rejects(follower.failed, /the page is closed/);
  await follower.settled();
});
