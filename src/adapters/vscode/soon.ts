import type { Logger } from '../../ports/logger.ts';

/** Takes work that nobody waits for, so that it does not hold up who asks for it. */
export type Soon = (work: () => void) => void;

/** Each piece has a turn of the event loop of its own, in the order in which they came; after disposal none has. */
export function createSoon(log: Logger): Disposable & { readonly soon: Soon } {
  const waiting: (() => void)[] = [];
  let next: NodeJS.Immediate | undefined;
  const turn = (): void => {
    const work = waiting.shift();
    next = waiting.length > 0 ? setImmediate(turn) : undefined;
    try {
      work?.();
    } catch (error) {
      log.error('a part did not start', error);
    }
  };
  return {
    soon(work) {
      waiting.push(work);
      next ??= setImmediate(turn);
    },
    [Symbol.dispose]: () => clearImmediate(next),
  };
}
