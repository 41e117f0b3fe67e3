import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { WrittenEdits } from '../../../../src/studio/live/written-edits.ts';

const edit = (id: number) => ({ id: `${id}`, properties: { Transparency: 0.5 }, base: { Transparency: 0 } });

test('forgets the oldest of more than 10,000 written edits', () => {
  const written = new WrittenEdits(nodeHasher);
  for (let id = 0; id < 10_001; id += 1) written.add(edit(id));
  assert.deepEqual(
    [0, 1, 10_000].map(id => written.has(edit(id))),
    [false, true, true],
  );
});
