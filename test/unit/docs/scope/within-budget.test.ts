import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { withinBudget } from '../../../../src/docs/scope/within-budget.ts';
import { RETRIEVAL_LIMITS } from '../../../../src/protocol/limits.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';

/** A search that ends only when it is aborted. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
const isCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

test('aborts a search that exceeds its time limit with SEARCH_TIMEOUT', async () => {
  const clock = new ManualClock();
  const search = withinBudget(clock, new AbortController().signal, endless);
  clock.advance(RETRIEVAL_LIMITS.searchMs);
  await assert.rejects(search, isCode('SEARCH_TIMEOUT'));
  assert.equal(clock.pending, 0);
});

test('reports a cancelled search as cancelled, and passes other failures on', async () => {
  const clock = new ManualClock();
  const cancel = new AbortController();
  const search = withinBudget(clock, cancel.signal, endless);
  cancel.abort();
  await assert.rejects(search, isCode('SEARCH_CANCELLED'));
  const failed = withinBudget(clock, new AbortController().signal, async () => {
    throw new AppError('REGEX_INVALID', { reason: 'odd' });
  });
  await assert.rejects(failed, isCode('REGEX_INVALID'));
  assert.equal(clock.pending, 0);
});
