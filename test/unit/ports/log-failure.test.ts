import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { logFailure } from '../../../src/ports/log-failure.ts';
import { memoryLog } from '../../harness/memory-log.ts';

test('logs the code, message and hint of a known error, and the cause of any other', () => {
  const log = memoryLog();
  const known = new AppError('FILE_CHANGED', { file: 'src/Shop.luau' });
  logFailure(log, 'a decision failed', known, { kind: 'apply' });
  logFailure(log, 'a decision failed', new Error('the view is missing'));
  const fields = { kind: 'apply', code: 'FILE_CHANGED', reason: known.message, hint: known.hint };
  assert.match(known.message, /src\/Shop\.luau/);
  assert.deepEqual(log.lines, [
    `info a decision failed ${JSON.stringify(fields)}`,
    'error a decision failed: the view is missing',
  ]);
});
