import type { Clock } from '../../ports/clock.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { PlaceStudio } from './place-studio.ts';

/** Waits until a new headless Studio is connected. Resolves with `false` if it is rejected, ends, or exceeds the handshake timeout. */
export function awaitFirstConnection(studio: PlaceStudio, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const check = (status: string): void => {
    if (status === 'connected') resolve(true);
    if (status.startsWith('rejected')) resolve(false);
  };
  const listening = studio.onStatus(check);
  const cancelTimer = clock.after(BUDGET_MS.handshake, () => resolve(false));
  void studio.terminated.then(() => resolve(false));
  check(studio.status());
  return promise.finally(() => {
    listening[Symbol.dispose]();
    cancelTimer();
  });
}
