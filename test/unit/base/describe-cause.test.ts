import assert from 'node:assert/strict';
import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { z } from 'zod';
import { describeCause } from '../../../src/base/describe-cause.ts';
import { failureOf, handleRpcRequest } from '../../../src/base/worker-rpc.ts';

const caught = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => error);
/** Texts of the engine, stacks and paths of this machine. */
const internal = /Cannot read|not a function|at .*:\d+:\d+|Unexpected token|\/(?:tmp|proc|home|work|root)\b|E[A-Z]{4,}/;

test('describes engine errors, schemas and system calls without their texts, stacks and paths', async () => {
  const failures = [
    () => (undefined as unknown as { x: { y: number } }).x.y,
    () => (1 as unknown as () => void)(),
    () => JSON.parse('{"token": oops}'),
    () => 'x'.repeat(-1),
    () => z.object({ a: z.string() }).parse({}),
    () => readFile('/proc/self/fd/9999/missing'),
    () => writeFile('/proc/none/x', ''),
    () => rmdir('/proc'),
    () => {
      throw new Error('the thread ended\n    at run (/tmp/a.ts:1:2)');
    },
    () => {
      // VS Code's file system has codes and wraps the messages of system calls.
      throw Object.assign(new Error("Error: EACCES: permission denied, scandir '/tmp/x'"), { code: 'NoPermissions' });
    },
    () => {
      throw new Error("EACCES: permission denied, scandir '/tmp/x'");
    },
    () => {
      throw Object.assign(new Error("EWEIRD: strange, open '/tmp/x'"), { code: 'EWEIRD', syscall: 'open' });
    },
  ];
  for (const failure of failures) {
    const error = await caught(failure);
    assert.ok(error instanceof Error);
    const described = describeCause(error).replace('EWEIRD', '');
    assert.doesNotMatch(described, internal);
    assert.notEqual(described, '');
  }
  const wrapped = new Error("Error: ELOOP: too many symbolic links encountered, stat '/tmp/x'");
  assert.equal(describeCause(wrapped), 'its links form a circle');
  assert.equal(describeCause(Object.assign(new Error('no'), { code: 'NoPermissions' })), 'permission denied');
  assert.equal(describeCause(new Error('ERROR: repository not found')), 'ERROR: repository not found');
  assert.equal(describeCause('lost'), 'lost');
  assert.equal(describeCause({ secret: 1 }), 'unknown reason');
});

test('an error of another thread keeps its stack for the log alone', async () => {
  const methods = {
    fail: () => {
      throw new TypeError('Cannot read properties of undefined');
    },
  };
  const reply = await handleRpcRequest({ id: 1, name: 'fail', args: undefined }, methods);
  assert.ok(!reply.ok);
  const failure = failureOf(reply);
  assert.doesNotMatch(failure.message, internal);
  assert.match(failure.stack ?? '', /Cannot read properties of undefined\n\s+at/);
});
