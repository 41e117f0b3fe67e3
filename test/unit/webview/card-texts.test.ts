import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncResult } from '../../../src/protocol/sync.ts';
import { outcomeText, textsFor } from '../../../src/webview/card/texts.ts';

const result = (change: object): SyncResult =>
  ({
    status: 'success',
    summary: 'For the agent.',
    runId: 'run',
    changes: [],
    overrides: [],
    ...change,
  }) as unknown as SyncResult;
const open = { direction: 'unresolved' };

test('the card says what became of a sync in the language of its host', () => {
  const outcomes = [{ outcome: 'applied' }, { outcome: 'applied' }, { outcome: 'written' }, { outcome: 'skipped' }];
  assert.equal(
    outcomeText(textsFor('de-AT'), result({ changes: outcomes })),
    'Abgeglichen: 2 nach Studio übertragen, 1 auf die Disk geschrieben, 1 ausgelassen.',
  );
  const undecided = result({ status: 'fastfail_unresolved', changes: [open, open, { direction: 'push' }] });
  assert.equal(outcomeText(textsFor('en'), undecided), 'Undecided: 2 of 3. Nothing was changed.');
  assert.equal(outcomeText(textsFor('de'), undecided), 'Unentschieden: 2 von 3. Nichts wurde geändert.');
  const asked = result({ status: 'fastfail_unresolved', changes: [{ direction: 'push' }] });
  assert.match(outcomeText(textsFor('de'), asked), /^Eine Person muss bestätigen/);
});

test('what the card has no sentence for is said as the bridge says it', () => {
  const t = textsFor('de');
  assert.equal(outcomeText(t, result({ status: 'not_connected' })), 'For the agent.');
  const verdict = (name: string) => result({ overrides: [{ id: '1', direction: 'push', verdict: name }] });
  assert.equal(outcomeText(t, verdict('stale_id')), 'For the agent.');
  assert.match(outcomeText(t, verdict('hash_mismatch')), /^Abgeglichen/);
});

test('no text of the card lacks a figure that the other language has', () => {
  const [en, de] = [textsFor('en'), textsFor('de')];
  const holes = (text: string): readonly string[] => (text.match(/\{\d\}/g) ?? []).toSorted();
  for (const name of Object.keys(en) as (keyof typeof en)[]) assert.deepEqual(holes(de[name]), holes(en[name]), name);
});
