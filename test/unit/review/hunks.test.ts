import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { threadCpuTime } from '../../../scripts/bench/cpu-time.ts';
import { findHunks, mergeHunks } from '../../../src/review/hunks.ts';

const disk = 'one\ntwo\nthree\nfour\nfive\n';
const studio = 'one\nTWO\nthree\nfour\nfive\nsix\n';

test('finds a hunk with the lines of both sides for each difference', () => {
  assert.deepEqual(findHunks(disk, studio), [
    { studio: { start: 1, count: 1 }, disk: { start: 1, count: 1 } },
    { studio: { start: 5, count: 1 }, disk: { start: 5, count: 0 } },
  ]);
});

test('merges each hunk from its chosen side', () => {
  const [first, second] = findHunks(disk, studio);
  const merged = mergeHunks(disk, studio, [
    { ...first!, choice: 'push' },
    { ...second!, choice: 'pull' },
  ]);
  assert.equal(merged, 'one\ntwo\nthree\nfour\nfive\nsix\n');
});

test('ignores line endings and a byte-order mark', () => {
  assert.deepEqual(findHunks('\uFEFFone\r\ntwo\r\n', 'one\ntwo\n'), []);
});

test('merges to exactly one side when every hunk is chosen from it', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map(lines => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (onDisk, inStudio) => {
      const hunks = findHunks(onDisk, inStudio);
      const all = (choice: 'push' | 'pull') =>
        mergeHunks(
          onDisk,
          inStudio,
          hunks.map(hunk => ({ ...hunk, choice })),
        );
      assert.equal(all('push'), onDisk);
      assert.equal(all('pull'), inStudio);
      assert.equal(hunks.length === 0, onDisk === inStudio);
    }),
  );
});

test('finds one hunk in bounded time when the texts have almost nothing in common', () => {
  const lines = (prefix: string): string =>
    Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`).join('\n');
  const started = threadCpuTime();
  assert.equal(findHunks(lines('a'), lines('b')).length, 1);
  assert.ok(threadCpuTime() - started < 5_000);
});

test('merges texts with 200,000 lines', () => {
  const [disk, studio] = ['d', 's'].map(line => `${line}\n`.repeat(200_000));
  const merged = mergeHunks(disk ?? '', studio ?? '', [
    { disk: { start: 0, count: 200_000 }, studio: { start: 0, count: 200_000 }, choice: 'pull' },
  ]);
  assert.equal(merged, studio);
});
