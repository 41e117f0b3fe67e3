import type { Clock } from '../../ports/clock.ts';

/** A chunk that ends sooner shows no notification. */
const SHOW_AFTER_MS = 1_000;

/** The UI for a chunk that keeps running. */
export interface ChunkSurface {
  /** Shows that the chunk is running, until `over` resolves or the user cancels. */
  show(over: Promise<unknown>): Promise<unknown>;
  /** Asks whether to close Studio, which is the only way to stop a chunk and discards the place. */
  confirmEnd(): Promise<boolean>;
}

/** Waits for the chunk to end, successfully or not. Resolves with `false` as soon as the user decides to stop it. */
export async function runsToCompletion(
  running: Promise<unknown>,
  surface: ChunkSurface,
  clock: Clock,
): Promise<boolean> {
  let isOver = false;
  const over = running.then(
    () => void (isOver = true),
    () => void (isOver = true),
  );
  await new Promise<void>(resolve => {
    const cancelTimer = clock.after(SHOW_AFTER_MS, resolve);
    void over.then(() => {
      cancelTimer();
      resolve();
    });
  });
  while (!isOver) {
    await surface.show(over);
    // The chunk may end while the question is open; then Studio stays open.
    if (!isOver && (await surface.confirmEnd()) && !isOver) return false;
  }
  return true;
}
