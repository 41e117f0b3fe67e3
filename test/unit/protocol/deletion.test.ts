import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeletion } from '../../../src/protocol/deletion.ts';
import { Choice } from '../../../src/protocol/sync-request.ts';
import { PatchType } from '../../../src/protocol/sync-result.ts';

test('detects a deletion only in a pushed Remove and a pulled Add', () => {
  const deletions = PatchType.options.flatMap(patchType =>
    Choice.options.filter(choice => isDeletion(patchType, choice)).map(choice => `${choice} ${patchType}`),
  );
  assert.deepEqual(deletions.toSorted(), ['pull Add', 'push Remove']);
});
