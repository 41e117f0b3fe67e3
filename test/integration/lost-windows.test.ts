import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { releaseLostWindows } from '../../src/adapters/node/lost-windows.ts';
import { thisProcess } from '../../src/adapters/node/owner.ts';
import type { AnnouncedBridge } from '../../src/protocol/announced-bridge.ts';
import { type Listener, refuseUpgrade, type Routes, startListener } from '../../src/transport/http/listener.ts';
import { type AskWindow, createRoutes } from '../../src/transport/routes.ts';
import { memoryLog } from '../harness/memory-log.ts';
import { until } from '../harness/until.ts';

const token = 'the-token-of-the-bridge';
const noStudio: Routes = {
  async request(_request, response) {
    response.writeHead(404).end();
  },
  upgrade: (_request, socket) => refuseUpgrade(socket, 404),
};

/** The listener of a window's bridge, and what the bridge announces. */
async function startWindow(
  askWindow: AskWindow | undefined,
): Promise<AsyncDisposable & { announced: AnnouncedBridge; listener: Listener }> {
  const routes = createRoutes({ handle: async () => undefined }, noStudio, [token], { askWindow });
  const listener = await startListener({ preferredPort: 0, routes, clock: nodeClock, log: memoryLog() });
  const mcpUrl = `${listener.url}/mcp`;
  const announced = {
    owner: await thisProcess(),
    folder: '/game',
    mcpUrl,
    token,
    startedAt: '',
    program: 'vscode',
  } as const;
  // Safe to call again. A listener that stays open would keep the file from ending.
  return { announced, listener, [Symbol.asyncDispose]: () => listener.stop() };
}

async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test('a window that answers keeps its port', async () => {
  let asked = 0;
  await using window = await startWindow(async () => {
    asked += 1;
    return { window: 'open' };
  });
  const { announced, listener } = window;
  await releaseLostWindows([announced], memoryLog());
  assert.equal(asked, 1);
  assert.ok(await isListening(listener.url));
});

test('the port of a lost window is free afterwards', async () => {
  await using window = await startWindow(async () => {
    setTimeout(() => void listener.stop(), 300);
    return { window: 'lost' };
  });
  const { announced, listener } = window;
  const log = memoryLog();
  await releaseLostWindows([announced], log);
  assert.equal(await isListening(listener.url), false);
  assert.match(log.lines.join('\n'), /a lost window released the project/);
});

test('a lost window completes the sync that it writes', async () => {
  await using window = await startWindow(async () => ({ window: 'lost', isWriting: true }));
  const { announced, listener } = window;
  const log = memoryLog();
  const released = releaseLostWindows([announced], log);
  await until(() => log.lines.some(line => line.includes('waiting for the sync of a lost window')));
  await listener.stop();
  await released;
  assert.match(log.lines.join('\n'), /a lost window released the project/);
});

test('a window that closes meanwhile is waited for', async () => {
  await using window = await startWindow(async () => {
    // As a bridge that was asked when it had begun to stop: it closes its port, but ends this request without an answer.
    await listener.stop();
    return { window: 'open' };
  });
  const { announced, listener } = window;
  await releaseLostWindows([announced], memoryLog());
  assert.equal(await isListening(listener.url), false);
});

test('a bridge without a window, or of an older version, keeps its port', async () => {
  await using window = await startWindow(undefined);
  const { announced, listener } = window;
  await releaseLostWindows([announced], memoryLog());
  assert.ok(await isListening(listener.url));
});

test('a bridge that has ended delays nothing', async () => {
  await using window = await startWindow(undefined);
  const { announced, listener } = window;
  await listener.stop();
  const log = memoryLog();
  await releaseLostWindows([announced], log);
  assert.match(log.lines.join('\n'), /released/);
});

test('a program without the token, a web page and another method ask no window', async () => {
  let asked = 0;
  await using window = await startWindow(async () => {
    asked += 1;
    return { window: 'open' };
  });
  const { listener } = window;
  const url = `${listener.url}/window`;
  const authorization = `Bearer ${token}`;
  const statusOf = async (method: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(url, { method, headers })).status;
  assert.deepEqual(
    [
      await statusOf('POST', {}),
      await statusOf('POST', { authorization: 'Bearer wrong' }),
      await statusOf('GET', { authorization }),
      await statusOf('POST', { authorization, origin: 'https://example.com' }),
    ],
    [404, 404, 404, 403],
  );
  assert.equal(asked, 0);
  assert.equal(await statusOf('POST', { authorization }), 200);
});
