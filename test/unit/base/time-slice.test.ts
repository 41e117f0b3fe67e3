import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeSlice } from '../../../src/base/time-slice.ts';
import type { Clock } from '../../../src/ports/clock.ts';

/** A host whose turns the test starts. Only the work in a turn takes time. */
class FakeHost implements Clock {
  #now = 0;
  #due: (() => void)[] = [];

  now(): number {
    return this.#now;
  }

  date(): string {
    return '2026-01-01T00:00:00.000Z';
  }

  after(_ms: number, fn: () => void): () => void {
    this.#due.push(fn);
    return () => void (this.#due = this.#due.filter(other => other !== fn));
  }

  work(ms: number): void {
    this.#now += ms;
  }

  /** Runs the due work with its microtasks, and returns how long that took. */
  async turn(): Promise<number> {
    const began = this.#now;
    for (const fn of this.#due.splice(0)) {
      fn();
      await settled();
    }
    return this.#now - began;
  }
}

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('continues work in the same turn until its slice is used up', async () => {
  const host = new FakeHost();
  const slice = new TimeSlice(host);
  let steps = 0;
  const work = (async () => {
    for (; steps < 10; steps += 1) {
      await slice.yieldToEventLoop();
      host.work(1);
    }
  })();
  await settled();
  assert.equal(host.now(), 4);
  assert.equal(await host.turn(), 4);
  assert.equal(await host.turn(), 2);
  await work;
});

test('resumes waiting work in order, and in one turn only as much as fits into a slice', async () => {
  const host = new FakeHost();
  const slice = new TimeSlice(host);
  host.work(4);
  const done: number[] = [];
  const workers = Array.from({ length: 6 }, async (_, index) => {
    await slice.yieldToEventLoop();
    host.work(2);
    done.push(index);
  });
  assert.equal(await host.turn(), 4);
  assert.deepEqual(done, [0, 1]);
  assert.equal(await host.turn(), 4);
  assert.equal(await host.turn(), 4);
  await Promise.all(workers);
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5]);
});

test('defers new work to the next turn when the slice is used up', async () => {
  const host = new FakeHost();
  const slice = new TimeSlice(host);
  host.work(4);
  let isDone = false;
  const late = slice.yieldToEventLoop().then(() => (isDone = true));
  await settled();
  assert.equal(isDone, false);
  await host.turn();
  assert.equal(await late, true);
});
