import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOnDemandThread } from '../../src/adapters/node/on-demand-thread.ts';
import { WorkLimitError } from '../../src/base/work-limit-error.ts';

/** Answers `echo` at once, and never comes back from `block`. */
const program = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, name, args }) => {
    while (name === 'block');
    parentPort.postMessage({ id, ok: true, answer: args });
  });`;
const worker = new URL(
  `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module';
  const require = createRequire('file:///');${program}`)}`,
);

test('rejects only the call that exceeds the time limit', async () => {
  const call = createOnDemandThread({ worker, name: 'Test', maxMs: 1_000, idleMs: 1_000 });
  const [blocked, echoed] = await Promise.allSettled([call('block', 1), call('echo', 2)]);
  assert.ok(blocked.status === 'rejected' && blocked.reason instanceof WorkLimitError);
  assert.deepEqual(echoed, { status: 'fulfilled', value: 2 });
});
