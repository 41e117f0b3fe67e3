import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgentPresence } from '../../../../src/setup/agents/agent-presence.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';

test('lists agents by name, latest last, up to a maximum', () => {
  const presence = createAgentPresence(new ManualClock());
  let changes = 0;
  presence.onDidChange(() => (changes += 1));
  for (const name of ['Copilot', 'Claude Code', 'Copilot']) presence.recordListing(name);
  assert.deepEqual(
    presence.connected().map(({ name }) => name),
    ['Claude Code', 'Copilot'],
  );
  assert.equal(changes, 3);
  for (let at = 0; at < 100; at += 1) presence.recordListing(`client ${at}`);
  assert.equal(presence.connected().length, 50);
  assert.equal(presence.connected().at(-1)?.name, 'client 99');
});
