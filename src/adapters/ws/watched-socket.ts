import type { WebSocket } from 'ws';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import { startHeartbeat } from './heartbeat.ts';

/** Bytes of a reason that fit into a close frame. */
const MAX_REASON_BYTES = 123;

/** Milliseconds for the peer to answer a close frame. */
const CLOSE_MS = 1_000;

export interface WatchedSocket {
  /** Fires once. */
  readonly onClosed: Event<{ readonly reason: string }>;
  readonly isClosed: () => boolean;
  /** Duration of the last round trip in milliseconds; `undefined` before the first. */
  readonly latencyMs: () => number | undefined;
  readonly close: (why: string) => void;
}

/** Watches one socket: pings it, closes it when it is dead, and reports the reason of its end. */
export function watchSocket(socket: WebSocket, clock: Clock): WatchedSocket {
  const closed = new Emitter<{ readonly reason: string }>();
  let reason: string | undefined;
  let isClosed = false;
  let cancelTimer = (): void => {};

  const heartbeat = startHeartbeat(socket, clock, BUDGET_MS.ping, () => {
    reason ??= `no answer to two pings (${2 * BUDGET_MS.ping} ms)`;
    socket.terminate();
  });
  socket.on('error', error => {
    reason ??= error.message;
  });
  socket.on('close', (code, text) => {
    heartbeat[Symbol.dispose]();
    cancelTimer();
    isClosed = true;
    closed.fire({ reason: reason ?? (text.length > 0 ? text.toString('utf8') : `closed by Studio (code ${code})`) });
  });
  return {
    onClosed: closed.event,
    isClosed: () => isClosed,
    latencyMs: () => heartbeat.latencyMs(),
    close(why) {
      if (isClosed) return;
      reason ??= why;
      socket.close(1000, truncated(why));
      cancelTimer();
      cancelTimer = clock.after(CLOSE_MS, () => socket.terminate());
    },
  };
}

/** `why`, cut between characters so that it fits into a close frame. */
function truncated(why: string): string {
  let text = why;
  while (Buffer.byteLength(text) > MAX_REASON_BYTES) text = Array.from(text).slice(0, -1).join('');
  return text;
}
