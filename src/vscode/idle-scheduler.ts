import type { Logger } from '../ports/logger.ts';

/** Takes work that nobody waits for, so that it does not hold up who asks for it. */
export type ScheduleIdle = (work: () => void) => void;

export interface IdleScheduler extends Disposable {
  /** Each piece has a turn of the event loop of its own, in the order in which they came; after disposal none has. */
  readonly soon: ScheduleIdle;
  /** Lets others have their turn. Whoever waits goes on before any piece of `soon`. */
  readonly nextTurn: () => Promise<void>;
}

export function createIdleScheduler(log: Logger): IdleScheduler {
  const waiting: (() => void)[] = [];
  let next: NodeJS.Immediate | undefined;
  let goFirst = 0;
  let isOver = false;
  const turn = (): void => {
    const work = goFirst > 0 ? undefined : waiting.shift();
    next = waiting.length > 0 ? setImmediate(turn) : undefined;
    try {
      work?.();
    } catch (error) {
      log.error('a part did not start', error);
    }
  };
  return {
    soon(work) {
      if (isOver) return;
      waiting.push(work);
      next ??= setImmediate(turn);
    },
    async nextTurn() {
      goFirst += 1;
      await new Promise<void>(resolve => setImmediate(resolve));
      goFirst -= 1;
    },
    [Symbol.dispose]() {
      isOver = true;
      clearImmediate(next);
    },
  };
}
