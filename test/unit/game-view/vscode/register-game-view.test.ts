import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const commands = new Map<string, () => Promise<unknown>>();
const fake = {
  commands: {
    registerCommand(id: string, run: () => Promise<unknown>) {
      commands.set(id, run);
      return { dispose: () => undefined };
    },
  },
};
installFakeVsCode(fake);
const { registerGameView } = await import('../../../../src/game-view/vscode/register-game-view.ts');

test('a command loads the Game view again after a failed load', async () => {
  const log = memoryLog();
  let loads = 0;
  const view = { commands: { refresh: async () => 'refreshed' }, [Symbol.dispose]: () => undefined };
  using _ = registerGameView({
    load: async () => {
      loads += 1;
      if (loads === 1) throw new Error('the file is missing');
      return view;
    },
    schedule: (work: () => void) => work(),
    log,
  } as unknown as Parameters<typeof registerGameView>[0]);
  await settle();
  assert.match(log.lines.join(), /failed to load the Game view: the file is missing/);
  assert.equal(await commands.get('atlas.game.refresh')?.(), 'refreshed');
  assert.equal(await commands.get('atlas.game.refresh')?.(), 'refreshed');
  assert.equal(loads, 2);
});
