import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../harness/until.ts';
import { liveWorld, MAIN } from '../../harness/live-world.ts';

const TEXT = 'game.ServerScriptService.Text.Value';

test('asks once about a text above the limit of a message, and writes later edits', { timeout: 60_000 }, async () => {
  const { bridge, lua, needed, untilText, sync, ...rest } = await liveWorld();
  await using _ = rest;
  await lua(`local value = Instance.new("StringValue") value.Name = "Text" value.Value = "short"
    value.Parent = game:GetService("ServerScriptService")`);
  await untilText('server/Text.txt', 'short');
  await lua(`${TEXT} = string.rep("x", 5 * 1024 * 1024)`);
  await lua(`${MAIN} = "print('later')"`);
  await untilText('server/Main.server.luau', "print('later')");
  await until(() => needed.length > 0);
  assert.match(
    needed.join(),
    /^Value of ServerScriptService\.Text \(StringValue\) is too large to be synced: it has 5242880 bytes$/,
  );
  const { changes, status } = await sync('dryrun');
  assert.deepEqual([status, changes.map(({ path }) => path)], ['dryrun', ['ServerScriptService/Text']]);
  for (const direction of ['push', 'pull'] as const) {
    const overrides = changes.map(({ id }) => ({ id, direction }));
    const run = bridge.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
    const { changes: done } = await run.result;
    assert.deepEqual(
      done.map(({ outcome, reason }) => [outcome, reason?.code]),
      [['failed', 'value_too_large']],
      direction,
    );
  }
  assert.equal(bridge.disk.text('server/Text.txt'), 'short');
  await lua(`${TEXT} = "short again"`);
  await untilText('server/Text.txt', 'short again');
});
