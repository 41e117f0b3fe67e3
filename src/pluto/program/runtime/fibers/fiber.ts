import type { Blocking, Value } from '../../backend/contract.ts';
import { Raised } from '../values/failures.ts';

/** Why a fiber does not go on; blocking operations yield it. */
export interface Wait {
  /** `recv on channel` */
  readonly what: string;
  isOver(): boolean;
}

export type FiberOutcome =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'raised'; readonly error: Raised };

/** One line of execution of a program: its start, or a task. */
export class Fiber {
  /** Counted from 0, which is the start of the program. */
  readonly number: number;
  /** Set by `cancel()`; operations that block look at it. */
  isCancelled = false;
  outcome: FiberOutcome | undefined;
  /** Called when it has ended. */
  onEnd: (() => void) | undefined;
  readonly #body: Blocking;
  #wait: Wait | undefined;
  /** It has not come back yet from where it went on. */
  #isRunning = false;

  constructor(number: number, body: Blocking) {
    this.number = number;
    this.#body = body;
  }

  /** What it waits for; `undefined` when it may go on. */
  get blockedOn(): Wait | undefined {
    return this.#wait?.isOver() === true ? undefined : this.#wait;
  }

  get isReady(): boolean {
    return !this.#isRunning && this.outcome === undefined && this.blockedOn === undefined;
  }

  /** Goes on until it must wait, or ends. @throws Failure, which ends the program */
  step(): void {
    this.#isRunning = true;
    try {
      const { done, value } = this.#body.next();
      // The text yields nothing itself, so whatever comes is of a blocking operation.
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
