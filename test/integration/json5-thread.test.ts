import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startWorkerRpcClient } from '../../src/vscode/worker-rpc-client.ts';
import type { Json5Language } from '../../src/roblox/formats/json5-language.ts';

const schemas = fileURLToPath(new URL('../../media/schemas', import.meta.url));
const worker = new URL('../../src/project/workers/json5-worker.ts', import.meta.url);
const start = () =>
  startWorkerRpcClient<Json5Language>(worker, { name: 'JSON5', workerData: { schemas } }, error => assert.fail(error));

test('completes and checks JSON5 in a thread, in the order of the requests', async () => {
  using thread = start();
  const wrong = thread.ask('check', { kind: 'meta', text: '{ignoreUnknownInstances: 1}' });
  const offered = thread.ask('complete', { kind: 'project', text: '{tr', offset: 3 });
  assert.deepEqual(await wrong, [{ line: 1, column: 26, length: 1, severity: 'warning', expected: 'true or false' }]);
  assert.ok((await offered).some(({ label }) => label === 'tree'));
});

test('does not block the event loop during the check of a large document', async () => {
  using thread = start();
  await thread.ask('check', { kind: 'meta', text: '{}' });
  const part = '{className: "Part", properties: {Size: [1, 2, 3], Anchored: true}},\n';
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 1);
  const found = await thread.ask('check', {
    kind: 'model',
    text: `{className: "Model", children: [${part.repeat(5000)}]}`,
  });
  clearInterval(turn);
  assert.deepEqual(found, []);
  assert.ok(turns > 5, `${turns} turns`);
});
