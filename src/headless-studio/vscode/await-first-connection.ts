import type { Clock } from '../../ports/clock.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { PlaceStudio } from './place-studio.ts';

/** Resolves when a Studio that was just opened has met its bridge; with `false` when it cannot, or not in the time of a handshake. */
export function awaitFirstConnection(studio: PlaceStudio, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = (status: string): void => {
    if (status === 'connected') resolve(true);
    if (status.startsWith('rejected')) resolve(false);
  };
  const listening = studio.onStatus(look);
  const cancelTimer = clock.after(BUDGET_MS.handshake, () => resolve(false));
  void studio.terminated.then(() => resolve(false));
  look(studio.status());
  return promise.finally(() => {
    listening[Symbol.dispose]();
    cancelTimer();
  });
}
