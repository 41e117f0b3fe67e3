import type { Clock } from '../../ports/clock.ts';

/** A chunk that takes less is not worth a notification. Milliseconds. */
const SHOWN_AFTER_MS = 1_000;

/** What a person sees of a chunk that goes on, and what they are asked. */
export interface ChunkSurface {
  /** Says that it runs, until `over` or until the person wants it to end. */
  show(over: Promise<unknown>): Promise<unknown>;
  /** Whether Studio may be ended with it: nothing else ends a chunk, and the place is lost. */
  confirmEnd(): Promise<boolean>;
}

/** Resolves when the chunk has come to its end, however; with `false` as soon as a person has decided that it is to be ended. */
export async function runsToCompletion(
  running: Promise<unknown>,
  person: ChunkSurface,
  clock: Clock,
): Promise<boolean> {
  let isOver = false;
  const over = running.then(
    () => void (isOver = true),
    () => void (isOver = true),
  );
  await new Promise<void>(resolve => {
    const cancelTimer = clock.after(SHOWN_AFTER_MS, resolve);
    void over.then(() => {
      cancelTimer();
      resolve();
    });
  });
  while (!isOver) {
    await person.show(over);
    // It may end while the person thinks about it: then nothing is lost.
    if (!isOver && (await person.confirmEnd()) && !isOver) return false;
  }
  return true;
}
