import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenamedKeys } from '../../../../src/sync/base/renamed-keys.ts';

const base = new Set(['S/Old', 'S/Old/Child', 'S/Same', 'S/Old/Inner']);
const keys = new RenamedKeys(
  [
    { key: 'S/New/Other', nameInStudio: 'Inner' },
    { key: 'S/New', nameInStudio: 'Old' },
    { key: 'S/Same', nameInStudio: 'Elsewhere' },
    { key: 'S/X', nameInStudio: 'Y' },
  ],
  key => base.has(key),
);

test('finds the base of renamed instances and of those below them', () => {
  assert.deepEqual(
    ['S/New', 'S/New/Child', 'S/New/Other', 'S/Same', 'S/X', 'S/Newer', 'S'].map(key => keys.toBase(key)),
    ['S/Old', 'S/Old/Child', 'S/Old/Inner', 'S/Same', 'S/X', 'S/Newer', 'S'],
  );
  assert.deepEqual(
    ['S/New', 'S/New/Other', 'S/Same', 'S/X'].map(key => keys.movedOn(key)),
    ['disk', 'disk', 'studio', undefined],
  );
  assert.deepEqual([keys.isBaseKey('S/Old/Child'), keys.isBaseKey('S/Older')], [true, false]);
});
