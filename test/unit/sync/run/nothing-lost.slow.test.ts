import { test } from 'node:test';
import fc from 'fast-check';
import { step, takeAll } from '../../../harness/sync-model.ts';

test('[P1] [P2] [P3] loses no text, reports the truth and answers overrides for all step orders', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }), takeAll), {
    numRuns: 200,
  });
});
