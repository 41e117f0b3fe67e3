import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiredSegments } from '../../../../src/adapters/node/journal/expired-segments.ts';
import type { Segment } from '../../../../src/adapters/node/journal/segments.ts';

const NOW = Date.parse('2026-02-10T12:00:00Z');

/** A segment with this number of entries. */
const segment = (number: number, size: number, day = '20260210'): Segment => ({
  number,
  day,
  path: `${number}.journal`,
  size,
  damage: new Set(),
  referred: new Set(),
});

/** The numbers of the expired segments. The segments are listed oldest first, each with the number of its entries. */
function expired(
  segments: readonly (readonly [Segment, number])[],
  limits: { readonly maxBytes?: number; readonly maxDays?: number },
  open: readonly number[] = [],
): readonly number[] {
  const records = segments.flatMap(([one, count]) => Array<Segment>(count).fill(one)).toReversed();
  const index = {
    segments: segments.map(([one]) => one),
    entries: () =>
      records.map(one => ({ record: { segment: one, offset: 0 }, start: 0, notes: [], ending: undefined })),
    openSegments: () => new Set(open),
  };
  const { maxBytes = 1_000_000, maxDays = 30 } = limits;
  return expiredSegments(index, { maxBytes, maxDays }, NOW).map(({ number }) => number);
}

test('removes the oldest segments beyond the size limit', () => {
  const segments = [1, 2, 3].map(number => [segment(number, 10), 1] as const);
  assert.deepEqual(expired(segments, { maxBytes: 20 }), [1]);
  assert.deepEqual(expired(segments, { maxBytes: 19 }), [1, 2]);
});

test('keeps small older segments when a newer one alone exceeds the size limit', () => {
  const segments = [[segment(1, 10), 1] as const, [segment(2, 500), 1] as const, [segment(3, 10), 1] as const];
  assert.deepEqual(expired(segments, { maxBytes: 20 }), [2]);
});

test('keeps the segment of the newest entry, whatever its size, also when a later one has only its ending', () => {
  const segments = [[segment(1, 500), 1] as const, [segment(2, 10), 0] as const];
  assert.deepEqual(expired(segments, { maxBytes: 20 }), []);
});

test('keeps segments with an entry without an ending, and those that entries which stay refer to', () => {
  const referring = { ...segment(3, 500), referred: new Set([4]) };
  const segments = [
    [segment(1, 500), 1] as const,
    [segment(2, 500), 1] as const,
    [referring, 1] as const,
    [segment(4, 10), 1] as const,
  ];
  assert.deepEqual(expired(segments, { maxBytes: 20 }, [2]), [1]);
});

test('keeps damaged segments that may have had the ending of an open entry', () => {
  const damaged = (number: number): Segment => ({ ...segment(number, 500), damage: new Set([7]) });
  const segments = [
    [damaged(1), 1] as const,
    [segment(2, 500), 1] as const,
    [damaged(3), 0] as const,
    [segment(4, 500), 1] as const,
    [segment(5, 10), 1] as const,
  ];
  assert.deepEqual(expired(segments, { maxBytes: 20 }, [2]), [1, 4]);
  assert.deepEqual(expired(segments, { maxBytes: 20 }), [1, 2, 3, 4]);
});

test('keeps the endings of the entries in a segment that another segment keeps', () => {
  const referring = (number: number, other: number): Segment => ({
    ...segment(number, 500),
    referred: new Set([other]),
  });
  const segments = [
    [segment(1, 500), 1] as const,
    [referring(2, 1), 1] as const,
    [referring(3, 2), 1] as const,
    [referring(4, 3), 1] as const,
    [segment(5, 500), 1] as const,
    [segment(6, 10), 1] as const,
  ];
  assert.deepEqual(expired(segments, { maxBytes: 20 }, [1]), [5]);
  assert.deepEqual(expired(segments, { maxBytes: 20 }), [1, 2, 3, 4, 5]);
});

test('removes old segments only beyond the newest 50 entries, because the clock may be wrong', () => {
  const old = '20250101';
  const segments = [
    [segment(1, 10, old), 1] as const,
    [segment(2, 10, old), 1] as const,
    [segment(3, 10), 49] as const,
  ];
  assert.deepEqual(expired(segments, { maxDays: 30 }), [1]);
  assert.deepEqual(expired(segments, { maxDays: 1_000 }), []);
});
