import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '../../base/parse-json.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AnnouncedBridge } from '../../protocol/announced-bridge.ts';
import { WINDOW_PATH, WindowState } from '../../protocol/window-state.ts';

/** A window has 5 s to answer its extension host. */
const ANSWER_MS = 8_000;
const CLOSE_MS = 5_000;
/** A bridge completes a sync that has begun to change something before it closes its port. */
const COMPLETE_MS = 60_000;
const POLL_MS = 50;
/** The answer has a few bytes. */
const MAX_ANSWER_CHARS = 1_000;

/**
 * Asks the windows of `bridges` whether they answer, and waits until those that do not have closed their ports: an extension host outlives
 * its window when the connection breaks, for hours on a remote machine. Returns at once when all answer. Never rejects.
 */
export async function releaseLostWindows(bridges: readonly AnnouncedBridge[], log: Logger): Promise<void> {
  await Promise.all(
    bridges.map(async bridge => {
      const { window, isWriting } = await stateOf(bridge);
      if (window === 'open') return;
      const { pid } = bridge.owner;
      if (isWriting) log.info('waiting for the sync of a lost window', { pid });
      if (await isClosed(bridge, isWriting ? COMPLETE_MS : CLOSE_MS))
        log.info('a lost window released the project', { pid, mcpUrl: bridge.mcpUrl });
      else log.warn('a lost window still serves the project', { pid, mcpUrl: bridge.mcpUrl });
    }),
  );
}

/** The state of the window; `open` if its bridge does not know. A bridge that cannot be asked is closing. */
async function stateOf({ mcpUrl, token }: AnnouncedBridge): Promise<WindowState> {
  try {
    const answer = await post(new URL(WINDOW_PATH, mcpUrl), token);
    const state = answer === undefined ? undefined : WindowState.safeParse(parseJson(answer)).data;
    return state ?? { window: 'open' };
  } catch {
    return { window: 'lost' };
  }
}

/** The body of a successful answer. @throws Error if there is no answer within `ANSWER_MS` */
function post(url: URL, token: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const question = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { Authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(ANSWER_MS),
      },
      response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text = (text + chunk).slice(0, MAX_ANSWER_CHARS)));
        response.on('error', reject);
        // 503: the bridge is stopping.
        if (response.statusCode === 503) reject(new Error('the bridge is stopping'));
        response.on('end', () => resolve(response.statusCode === 200 ? text : undefined));
      },
    );
    question.on('error', reject);
    question.end();
  });
}

async function isClosed({ mcpUrl }: AnnouncedBridge, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await delay(POLL_MS))
    if (!(await accepts(Number(new URL(mcpUrl).port)))) return true;
  return false;
}

/** Whether something listens at that port of 127.0.0.1. */
function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
    const end = (isAccepted: boolean) => () => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once('connect', end(true)).once('timeout', end(true)).once('error', end(false));
  });
}
