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
  const told: string[] = [];
  let moved = false;
  const follower = followSides({
    clock,
    onDidMove: disk.event,
    hasMoved: () => moved,
    async compare() {
      moved = false;
      told.push('compare');
      return await compare();
    },
    review: {
      setComparing: () => undefined,
      replace: () => void told.push('replace'),
    },
  });
  const move = (): void => {
    moved = true;
    disk.fire();
  };
  return { clock, told, follower, move };
}
const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('a burst of moves is one comparison, after it is quiet', async () => {
  const { clock, told, move } = world(async () => []);
  for (let times = 0; times < 5; times += 1) move();
  assert.deepEqual(told, []);
  clock.advance(1_000);
  await settle();
  assert.deepEqual(told, ['compare', 'replace']);
});

test('what moves during a comparison is compared after it', async () => {
  const first = Promise.withResolvers<readonly RunChange[]>();
  const answers = [first.promise, Promise.resolve([])];
  const { clock, told, follower, move } = world(() => answers.shift()!);
  follower.refresh();
  move();
  clock.advance(1_000);
  follower.refresh();
  assert.deepEqual(told, ['compare']);
  first.resolve([]);
  await follower.settled();
  assert.deepEqual(told, ['compare', 'replace', 'compare', 'replace']);
});

test('moves that the comparison itself has read cause no other one', async () => {
  const { clock, told, follower } = world(async () => []);
  follower.refresh();
  await follower.settled();
  clock.advance(5_000);
  await settle();
  assert.deepEqual(told, ['compare', 'replace']);
});

test('a project that is being written to is tried again; when it never rests, that is said', async () => {
  const { clock, told, follower } = world(async () => {
    throw new AppError('PROJECT_CHANGING', { tries: 3 });
  });
  follower.refresh();
  for (let times = 0; times < 6; times += 1) {
    await settle();
    clock.advance(1_000);
  }
  await assert.rejects(follower.failed, { code: 'PROJECT_CHANGING' });
  assert.equal(told.length, 5);
});

test('after it is disposed nothing is compared and nothing replaced', async () => {
  const answer = Promise.withResolvers<readonly RunChange[]>();
  const { clock, told, follower, move } = world(() => answer.promise);
  follower.refresh();
  follower[Symbol.dispose]();
  answer.resolve([]);
  await settle();
  move();
  clock.advance(1_000);
  assert.deepEqual(told, ['compare']);
});

test('fails the review when it cannot show that both sides are compared', async () => {
  const follower = followSides({
    clock: new ManualClock(),
    onDidMove: new Emitter<void>().event,
    hasMoved: () => true,
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
