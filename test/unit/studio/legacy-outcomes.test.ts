import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StudioChange } from '../../../src/protocol/studio/stream.ts';
import { confirmPull, confirmPush, selectionFor } from '../../../src/studio/legacy-outcomes.ts';
import { runChange } from '../../harness/run-change.ts';

const [older, newer] = ['a', 'b'].map(digit => digit.repeat(40)) as [string, string];
const change = (fields: Partial<StudioChange> = {}): StudioChange => runChange({ id: 'kit', ...fields }).studio;
const notRead = (): never => assert.fail('Studio was read');

test('sends the plugin a decision for every change, and ignores those without one', () => {
  const byId = new Map(['kit', 'lamp'].map(id => [id, change({ id })]));
  const expectedProperties = { Disabled: false };
  const decisions = [{ id: 'kit', direction: 'push', studioHash: older, expectedProperties }] as const;
  assert.deepEqual(selectionFor(decisions, byId), [...decisions, { id: 'lamp', direction: 'ignore' }]);
});

test('confirms a push when both sides are equal afterwards, with the hash that Studio has then', async () => {
  const read = async (id: string) => ({ studioHash: id === 'kit' ? newer : older });
  assert.deepEqual(await confirmPush(change(), undefined, read), { id: 'kit', ok: true, studioHash: newer });
  assert.deepEqual(await confirmPush(change({ className: 'Folder' }), undefined, notRead), { id: 'kit', ok: true });
  const { ok, reason } = await confirmPush(change(), change(), notRead);
  assert.deepEqual([ok, reason?.code], [false, 'still_differs']);
});

const color = { Color: { current: { Color3: [1, 0, 0] }, incoming: { Color3: [0, 0, 1] } } };
const size = { Size: { current: { Vector3: [1, 1, 1] }, incoming: { Vector3: [2, 2, 2] } } };
const rows: readonly [what: string, now: StudioChange | undefined, code?: string][] = [
  ['confirms a pull when Studio has not changed', change({ studioHash: older, properties: { ...size, ...color } })],
  ['refuses a pull when both sides have become equal', undefined, 'equal_now'],
  [
    'refuses a pull when the script has changed in Studio',
    change({ studioHash: newer, properties: { ...color, ...size } }),
    'script_changed',
  ],
  [
    'refuses a pull when a property has changed in Studio',
    change({ studioHash: older, properties: { ...color, Size: { ...size.Size, current: { Vector3: [3, 3, 3] } } } }),
    'properties_changed',
  ],
  [
    'refuses a pull when another property differs now',
    change({ studioHash: older, properties: color }),
    'properties_changed',
  ],
];
for (const [what, now, code] of rows)
  test(what, () => {
    const before = change({ studioHash: older, properties: { ...color, ...size } });
    const { ok, reason } = confirmPull(before, now);
    assert.deepEqual([ok, reason?.code], [code === undefined, code]);
  });
