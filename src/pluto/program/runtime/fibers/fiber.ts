import type { Blocking, Value } from '../../backend/contract.ts';
import { Raised } from '../values/failures.ts';

/** The reason why a fiber waits. Blocking operations yield it. */
export interface Wait {
  /** `recv on channel` */
  readonly what: string;
  isOver(): boolean;
}

export type FiberOutcome =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'raised'; readonly error: Raised };

/** A fiber of a program: its main fiber, or a task. */
export class Fiber {
  /** 0 is the main fiber. */
  readonly number: number;
  /** Set by `cancel()`, checked by blocking operations. */
  isCancelled = false;
  outcome: FiberOutcome | undefined;
  /** Called when it has ended. */
  onEnd: (() => void) | undefined;
  readonly #body: Blocking;
  #wait: Wait | undefined;
  /** Whether `step` is running. */
  #isRunning = false;

  constructor(number: number, body: Blocking) {
    this.number = number;
    this.#body = body;
  }

  /** The reason why it waits; `undefined` if it can run. */
  get blockedOn(): Wait | undefined {
    return this.#wait?.isOver() === true ? undefined : this.#wait;
  }

  get isReady(): boolean {
    return !this.#isRunning && this.outcome === undefined && this.blockedOn === undefined;
  }

  /** Runs until the fiber waits or ends. @throws Failure, which ends the program */
  step(): void {
    this.#isRunning = true;
    try {
      const { done, value } = this.#body.next();
      // The emitted text itself yields nothing, so every yielded value is a `Wait`.
      if (done === true) this.outcome = { kind: 'returned', value };
      else this.#wait = value as Wait;
    } catch (error) {
      if (!(error instanceof Raised)) throw error;
      this.outcome = { kind: 'raised', error };
    } finally {
      this.#isRunning = false;
    }
    if (this.outcome !== undefined) this.onEnd?.();
  }
}
