import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { toSyncChange } from '../../../../src/sync/changes/run-change.ts';
import { matchesFilters } from '../../../../src/sync/changes/select-changes.ts';
import { runChange } from '../../../harness/run-change.ts';

const change = toSyncChange(
  runChange({ id: 'a', path: 'ServerScriptService/Shop/Till' }, { fsPath: 'src/shop/Till.luau' as ProjectPath }),
  () => undefined,
);

test('selects what is at or below a path in the game or on disk, with or without a final slash', () => {
  for (const under of ['ServerScriptService', 'ServerScriptService/Shop', 'src/shop', 'src/shop/Till.luau'])
    for (const path of [under, `${under}/`]) assert.equal(matchesFilters(change, { under: path }), true, path);
  for (const under of ['ServerScriptService/Sho', 'Shop', 'src/sho', 'src/shop/Till.luau/init.luau'])
    for (const path of [under, `${under}/`]) assert.equal(matchesFilters(change, { under: path }), false, path);
});

test('selects only undecided changes on request, and does not exclude them otherwise', () => {
  const decided = { ...change, direction: 'push' as const };
  assert.deepEqual(
    [true, false, undefined].map(undecided => [change, decided].map(one => matchesFilters(one, { undecided }))),
    [
      [true, false],
      [true, true],
      [true, true],
    ],
  );
});
