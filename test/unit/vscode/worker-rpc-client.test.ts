import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWorkerRpcClient } from '../../../src/vscode/worker-rpc-client.ts';

interface Greeter {
  greet(args: { readonly name: string }): string;
}
const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
const start = (text: string, failures: Error[]) =>
  startWorkerRpcClient<Greeter>(program(text), { name: 'greeter', workerData: undefined }, error =>
    failures.push(error),
  );

test('rejects open calls and reports one failure when the thread exits without an error', async () => {
  const failures: Error[] = [];
  using thread = start(
    "process.getBuiltinModule('worker_threads').parentPort.on('message', () => process.exit(0))",
    failures,
  );
  await assert.rejects(thread.ask('greet', { name: 'Ada' }), /greeter ended/);
  await assert.rejects(thread.ask('greet', { name: 'Ada' }), /greeter ended/);
  assert.equal(failures.length, 1);
});

test('reports no failure when the thread was stopped', async () => {
  const failures: Error[] = [];
  const thread = start(
    "process.getBuiltinModule('worker_threads').parentPort.on('message', () => undefined)",
    failures,
  );
  const asked = assert.rejects(thread.ask('greet', { name: 'Ada' }), /was stopped/);
  thread[Symbol.dispose]();
  await asked;
  assert.deepEqual(failures, []);
});

test('delivers a notice before a later reply', async () => {
  const heard: unknown[] = [];
  const text = `
    const { parentPort } = process.getBuiltinModule('worker_threads');
    parentPort.on('message', ({ id }) => {
      parentPort.postMessage({ notice: 'started' });
      parentPort.postMessage({ id, ok: true, answer: 'hello' });
    });`;
  const options = { name: 'greeter', workerData: undefined, onNotice: (notice: unknown) => heard.push(notice) };
  using thread = startWorkerRpcClient<Greeter>(program(text), options, error => assert.fail(error));
  assert.equal(await thread.ask('greet', { name: 'Ada' }), 'hello');
  assert.deepEqual(heard, [{ notice: 'started' }]);
});
