import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAskedThread } from '../../../../src/adapters/vscode/asked-thread.ts';

interface Greeter {
  greet(args: { readonly name: string }): string;
}
const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
const start = (text: string, failures: Error[]) =>
  startAskedThread<Greeter>(program(text), { name: 'greeter', workerData: undefined }, error => failures.push(error));

test('a thread that ends without an error leaves no question open, and tells its owner once', async () => {
  const failures: Error[] = [];
  using thread = start(
    "process.getBuiltinModule('worker_threads').parentPort.on('message', () => process.exit(0))",
    failures,
  );
  await assert.rejects(thread.ask('greet', { name: 'Ada' }), /greeter has ended/);
  await assert.rejects(thread.ask('greet', { name: 'Ada' }), /greeter has ended/);
  assert.equal(failures.length, 1);
});

test('a thread that was stopped is no failure to its owner', async () => {
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
