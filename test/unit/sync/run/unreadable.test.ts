import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreadableInWords } from '../../../../src/sync/run/unreadable.ts';

test('one sentence for each property and reason, with how often', () => {
  const value = (path: string, property: string) => ({ path, property, reason: 'SharedString: no form' });
  assert.deepEqual(unreadableInWords([]), []);
  assert.deepEqual(unreadableInWords([value('A/Mesh', 'Data'), value('B/Mesh', 'Data'), value('A/Mesh', 'Other')]), [
    'Data of A/Mesh and 1 more was not compared: Studio cannot read the value in the files (SharedString: no form).',
    'Other of A/Mesh was not compared: Studio cannot read the value in the files (SharedString: no form).',
  ]);
});
