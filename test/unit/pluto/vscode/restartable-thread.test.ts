import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LanguageThread, RestartableThread } from '../../../../src/pluto/vscode/language-thread.ts';

function restartable() {
  const failures: ((error: Error) => void)[] = [];
  const errors: string[] = [];
  let stopped = 0;
  const thread = new RestartableThread(
    onFailure => {
      failures.push(onFailure);
      const ask = () => Promise.resolve(failures.length);
      // Answers every question.
      return { ask: ask as unknown as LanguageThread['ask'], [Symbol.dispose]: () => void (stopped += 1) };
    },
    error => errors.push(error.message),
  );
  return { thread, failures, errors, stopped: () => stopped };
}

test('starts one thread, with the first question', async () => {
  const { thread, failures } = restartable();
  assert.equal(failures.length, 0);
  await thread.ask('changedFindings', {});
  await thread.ask('changedFindings', {});
  assert.equal(failures.length, 1);
});

test('starts another thread when a question follows a crash', async () => {
  const { thread, failures, errors } = restartable();
  await thread.ask('changedFindings', {});
  failures[0]?.(new Error('out of memory'));
  assert.deepEqual([errors, failures.length], [['out of memory'], 1]);
  await thread.ask('changedFindings', {});
  assert.equal(failures.length, 2);
});

test('starts no thread for a question after it was stopped', async () => {
  const { thread, failures, stopped } = restartable();
  await thread.ask('changedFindings', {});
  thread[Symbol.dispose]();
  assert.equal(stopped(), 1);
  await assert.rejects(thread.ask('filesChanged', { paths: [] }), /stopped/);
  assert.equal(failures.length, 1);
});
