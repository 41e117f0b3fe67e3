import type { Clock } from '../../ports/clock.ts';
import type { ProjectSession } from '../project-session.ts';
import { changesSourcemap, renderSourcemap, type SourcemapOptions } from './sourcemap.ts';

export interface KeepSourcemapOptions extends SourcemapOptions {
  readonly clock: Clock;
  write(text: string): Promise<void>;
  /** Called when a write fails. The next change tries again. */
  onFailure(error: unknown): void;
}

/** Writes the sourcemap now, and again after each change that affects it. Writes never overlap. */
export function keepSourcemap(session: ProjectSession, options: KeepSourcemapOptions): Disposable {
  let isStale = true;
  let isWriting = false;
  let isOver = false;
  let written: string | undefined;

  const catchUp = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    try {
      while (isStale && !isOver) {
        isStale = false;
        const text = await renderSourcemap(session, options, options.clock);
        if (isOver || text === written) continue;
        await options.write(text);
        written = text;
      }
    } catch (error) {
      options.onFailure(error);
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
      listening[Symbol.dispose]();
    },
  };
}
