import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEED_LIMITS } from '../../../src/protocol/limits.ts';
import { liveWorld } from '../../harness/live-world.ts';

/** More than one packet. */
const COUNT = FEED_LIMITS.packetChanges + 300;
const folder = 'game:GetService("ServerScriptService"):FindFirstChild("Many")';
const countOf = (text: string): string => `(function()
  local found = 0
  for _, script in if ${folder} then ${folder}:GetChildren() else {} do
    found += if script.Source == "${text}" then 1 else 0
  end
  return found
end)()`;

test('sends a checkout of several packets to Studio without a conflict', { timeout: 120_000 }, async () => {
  await using both = await liveWorld();
  for (const text of ['return 1', 'return 2']) {
    for (let index = 0; index < COUNT; index += 1) both.bridge.disk.set(`server/Many/S${index}.luau`, text);
    await both.bridge.session()?.refresh(new AbortController().signal);
    await both.untilLua(countOf(text), COUNT);
  }
  both.bridge.disk.delete('server/Many');
  await both.bridge.session()?.refresh(new AbortController().signal);
  await both.untilLua(`${folder} == nil`, true);
  assert.deepEqual(both.needed, []);
});
