import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeState } from '../../../../src/vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../../../src/vscode/served-bridge.ts';
import { readReviewOutcome } from '../../../../src/review/vscode/review-outcome.ts';
import { formatSentence } from '../../../../src/base/sentence.ts';
import type { RecordedRun } from '../../../../src/protocol/history.ts';
import { settle } from '../../../harness/settle.ts';

const english = { t: (template: string, ...values: (string | number)[]) => formatSentence({ template, values }) };
const ended: RecordedRun = {
  runId: 'one',
  at: '2026-01-01T00:00:00.000Z',
  requestedBy: 'you',
  mode: 'manual',
  place: { name: 'Baseplate', placeId: 1 },
  status: 'cancelled',
  summary: 'The sync was cancelled. Nothing was changed.',
  changeCount: 0,
  changes: [],
};
const bridgeWith = (...engines: readonly object[]) => {
  const bridges = engines.map(engine => ({ engine }) as unknown as ServedBridge);
  return {
    begin: () => Promise.resolve({ kind: 'running', bridge: bridges[0] } as unknown as BridgeState),
    bridges: () => bridges,
  };
};

test('reports the outcome of a run that another window ends during the query', async () => {
  const record = { ...ended, status: 'running' as RecordedRun['status'] };
  const lifecycle = bridgeWith({
    // The order of the other window: it writes the record, then releases the lock.
    isElsewhere: async () => {
      await settle();
      record.status = 'cancelled';
      return false;
    },
    recorded: () => Promise.resolve({ ...record }),
  });
  assert.deepEqual(await readReviewOutcome(lifecycle, 'one', english), {
    isElsewhere: false,
    outcome: 'The sync was cancelled. Nothing was changed.',
  });
});

test('reports no outcome for a run that is still open elsewhere or not recorded', async () => {
  const running = bridgeWith({
    isElsewhere: () => Promise.resolve(true),
    recorded: () => Promise.resolve({ ...ended, status: 'running' }),
  });
  assert.deepEqual(await readReviewOutcome(running, 'one', english), { isElsewhere: true, outcome: null });
  const unknown = bridgeWith({ isElsewhere: () => Promise.resolve(false), recorded: () => Promise.resolve(undefined) });
  assert.deepEqual(await readReviewOutcome(unknown, 'one', english), { isElsewhere: false, outcome: null });
});

test('finds the outcome of a run of another project of the window', async () => {
  const unknown = { isElsewhere: () => Promise.resolve(false), recorded: () => Promise.resolve(undefined) };
  const other = { isElsewhere: () => Promise.resolve(false), recorded: () => Promise.resolve(ended) };
  assert.deepEqual(await readReviewOutcome(bridgeWith(unknown, other), 'one', english), {
    isElsewhere: false,
    outcome: 'The sync was cancelled. Nothing was changed.',
  });
});
