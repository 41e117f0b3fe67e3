import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownTime } from '../../../scripts/bench/own-time.ts';
import { findHunks, mergeHunks } from '../../../src/review/hunks.ts';

const disk = 'one\ntwo\nthree\nfour\nfive\n';
const studio = 'one\nTWO\nthree\nfour\nfive\nsix\n';

test('each place that differs is a hunk with its lines on both sides', () => {
  assert.deepEqual(findHunks(disk, studio), [
    { studio: { start: 1, count: 1 }, disk: { start: 1, count: 1 } },
    { studio: { start: 5, count: 1 }, disk: { start: 5, count: 0 } },
  ]);
});

test('each hunk is taken from the side that was chosen for it', () => {
  const [first, second] = findHunks(disk, studio);
  const merged = mergeHunks(disk, studio, [
    { ...first!, choice: 'push' },
    { ...second!, choice: 'pull' },
  ]);
  assert.equal(merged, 'one\ntwo\nthree\nfour\nfive\nsix\n');
});

test('line ends and a byte-order mark are no difference', () => {
  assert.deepEqual(findHunks('\uFEFFone\r\ntwo\r\n', 'one\ntwo\n'), []);
});

test('all from one side is that side, whatever the texts', () => {
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

test('texts that have next to nothing in common are one hunk, in bounded time', () => {
  const lines = (prefix: string): string =>
    Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`).join('\n');
  const started = ownTime();
  assert.equal(findHunks(lines('a'), lines('b')).length, 1);
  assert.ok(ownTime() - started < 5_000);
});
