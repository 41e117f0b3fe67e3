import type { WebSocket } from 'ws';
import type { Clock } from '../../ports/clock.ts';

export interface Heartbeat extends Disposable {
  /** Duration of the last answered ping in milliseconds; `undefined` before the first answer. */
  latencyMs(): number | undefined;
}

/**
 * Pings `socket` now, to measure the latency, and every `everyMs`. Any data from the peer answers a ping. Calls `onDead` once when two pings
 * are unanswered.
 */
export function startHeartbeat(socket: WebSocket, clock: Clock, everyMs: number, onDead: () => void): Heartbeat {
  let unanswered = 0;
  let sentAt: number | undefined;
  let latency: number | undefined;
  let cancelTimer = (): void => {};
  const alive = (): void => {
    unanswered = 0;
  };
  const answered = (): void => {
    alive();
    if (sentAt !== undefined) latency = clock.now() - sentAt;
    sentAt = undefined;
  };
  const ping = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    sentAt = clock.now();
    socket.ping();
  };
  const beat = (): void => {
    if (unanswered >= 2) return onDead();
    unanswered += 1;
    ping();
    cancelTimer = clock.after(everyMs, beat);
  };
  socket.on('pong', answered);
  socket.on('ping', alive);
  socket.on('message', alive);
  ping();
  cancelTimer = clock.after(everyMs, beat);
  return {
    latencyMs: () => latency,
    [Symbol.dispose]() {
      cancelTimer();
      socket.off('pong', answered);
      socket.off('ping', alive);
      socket.off('message', alive);
    },
  };
}
