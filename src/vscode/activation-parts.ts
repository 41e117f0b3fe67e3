/** The duration of activation, in milliseconds. */
export interface ActivationTime {
  /** From the call of `activate` until its promise resolves, including the turns of other code. */
  readonly ms: number;
  /** The part of `ms` in which activation blocked the thread. */
  readonly heldMs: number;
  /** The longest single block. */
  readonly longestMs: number;
}

/** Splits activation into parts and measures them. The first part begins immediately. */
export interface ActivationParts {
  /** Ends a part. The next part begins when `others` resolves. */
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
