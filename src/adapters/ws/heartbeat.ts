import type { WebSocket } from 'ws';
import type { Clock } from '../../ports/clock.ts';

/** Pings `socket` every `everyMs`; anything that it sends is a sign of life. Calls `onDead` once when two pings stayed unanswered. */
export function startHeartbeat(socket: WebSocket, clock: Clock, everyMs: number, onDead: () => void): Disposable {
  let unanswered = 0;
  let cancelTimer = (): void => {};
  const alive = (): void => {
    unanswered = 0;
  };
  const beat = (): void => {
    if (unanswered >= 2) return onDead();
    unanswered += 1;
    if (socket.readyState === socket.OPEN) socket.ping();
    cancelTimer = clock.after(everyMs, beat);
  };
  socket.on('pong', alive);
  socket.on('ping', alive);
  socket.on('message', alive);
  cancelTimer = clock.after(everyMs, beat);
  return {
    [Symbol.dispose]() {
      cancelTimer();
      socket.off('pong', alive);
      socket.off('ping', alive);
      socket.off('message', alive);
    },
  };
}
