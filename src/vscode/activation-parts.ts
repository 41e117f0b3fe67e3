/** What activation took, in milliseconds. */
export interface ActivationTime {
  /** From the call of `activate` until what it promised is there; what others did in between counts. */
  readonly ms: number;
  /** Of it, the time in which it held the thread. */
  readonly heldMs: number;
  /** The most at a time. */
  readonly longestMs: number;
}

/** The parts of activation, between which others have their turn, and the clock over them. The first begins now. */
export interface ActivationParts {
  /** Ends a part; the next begins when the others are done, and this resolves. */
  yieldTo(others: () => Promise<void>): Promise<void>;
  /** Ends the last part. */
  end(): ActivationTime;
}

export function beginActivation(now = () => performance.now()): ActivationParts {
  const began = now();
  const parts: number[] = [];
  let since = began;
  const endPart = (): void => void parts.push(now() - since);
  return {
    async yieldTo(others) {
      endPart();
      await others();
      since = now();
    },
    end() {
      endPart();
      const tenths = (ms: number): number => Math.round(ms * 10) / 10;
      return {
        ms: tenths(now() - began),
        heldMs: tenths(parts.reduce((sum, part) => sum + part, 0)),
        longestMs: tenths(Math.max(...parts)),
      };
    },
  };
}
