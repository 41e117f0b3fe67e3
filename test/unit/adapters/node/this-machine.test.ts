import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thisMachine } from '../../../../src/adapters/node/this-machine.ts';

test('searches the Windows folder once at a time until it is found, and caches it', async () => {
  const answers = [undefined, '/mnt/c/Local'];
  let asked = 0;
  const machine = thisMachine(() => Promise.resolve(answers[asked++]));
  const look = async (): Promise<string | undefined> => (await machine()).windowsLocalData;
  assert.deepEqual(await Promise.all([look(), look()]), [undefined, undefined]);
  assert.equal(asked, 1);
  assert.equal(await look(), '/mnt/c/Local');
  assert.equal(await look(), '/mnt/c/Local');
  assert.equal(asked, 2);
});
