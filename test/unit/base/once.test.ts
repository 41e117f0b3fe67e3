import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from '../../../src/base/once.ts';

test('does the work only at the first call', () => {
  let done = 0;
  const work = once(() => (done += 1));
  assert.equal(done, 0);
  work();
  work();
  assert.equal(done, 1);
});
