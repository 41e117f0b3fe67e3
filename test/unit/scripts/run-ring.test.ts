import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, runRing } from '../../../scripts/test/run-ring.ts';

const report = { passed: 3, failed: 1, skipped: 2, emptyFiles: [] };

test('a ring counts the tests that it ran', () => {
  assert.deepEqual(judge('unit', report), { passed: 3, failed: 1, skipped: 2 });
});

test('a ring that ran no test fails, and so does a file that ran none', t => {
  t.mock.method(console, 'error', () => {});
  assert.deepEqual(judge('unit', { passed: 0, failed: 0, skipped: 0, emptyFiles: [] }).failed, 1);
  assert.deepEqual(judge('unit', { ...report, emptyFiles: ['empty.test.ts'] }), { passed: 2, failed: 2, skipped: 2 });
});

test('a ring whose files are gone fails, and a command counts by its exit code', async t => {
  t.mock.method(console, 'error', () => {});
  t.mock.method(console, 'log', () => {});
  const gone = { name: 'gone', kind: 'tests', files: ['test/none/*.test.ts'], needs: [], concurrency: 1 } as const;
  assert.equal((await runRing(gone)).failed, 1);
  const step = (code: number) => ({ title: 'exit', command: process.execPath, args: ['-e', `process.exit(${code})`] });
  const commands = { name: 'commands', kind: 'command', steps: [step(0), step(3)] } as const;
  assert.deepEqual(await runRing(commands), { passed: 1, failed: 1, skipped: 0 });
});
