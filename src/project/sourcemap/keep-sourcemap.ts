import type { Clock } from '../../ports/clock.ts';
import type { ProjectSession } from '../project-session.ts';
import { changesSourcemap, renderSourcemap, type SourcemapOptions } from './sourcemap.ts';

/** Delay after a failed write, doubled after each further one. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

export interface KeepSourcemapOptions extends SourcemapOptions {
  readonly clock: Clock;
  write(text: string): Promise<void>;
  /** Called for the first of several failures. The write is tried again. */
  onFailure(error: unknown): void;
}

/** Writes the sourcemap now, and again after each change that affects it. Writes never overlap. */
export function keepSourcemap(session: ProjectSession, options: KeepSourcemapOptions): Disposable {
  let isStale = true;
  let isWriting = false;
  let isOver = false;
  let written: string | undefined;
  let failures = 0;
  let cancelRetry = (): void => {};

  const catchUp = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    cancelRetry();
    try {
      while (isStale && !isOver) {
        isStale = false;
        const text = await renderSourcemap(session, options, options.clock);
        if (isOver || text === written) continue;
        await options.write(text);
        written = text;
        failures = 0;
      }
    } catch (error) {
      isStale = true;
      failures += 1;
      if (failures === 1) options.onFailure(error);
      if (!isOver)
        cancelRetry = options.clock.after(Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS), () => void catchUp());
    } finally {
      isWriting = false;
    }
  };
  const listening = session.onDidChange(({ before }) => {
    const isRelevant = Array.from(before).some(([id, old]) => changesSourcemap(old, session.get(id)));
    if (!isRelevant) return;
    isStale = true;
    void catchUp();
  });
  void catchUp();
  return {
    [Symbol.dispose]() {
      isOver = true;
      cancelRetry();
      listening[Symbol.dispose]();
    },
  };
}
