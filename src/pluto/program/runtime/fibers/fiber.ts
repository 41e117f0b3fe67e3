import type { Blocking, Value } from '../../backend/contract.ts';
import { Raised } from '../values/failures.ts';

/** The reason why a fiber waits. Blocking operations yield it. */
export interface Wait {
  /** `recv on channel` */
  readonly what: string;
  /** A remark for the report of a deadlock. */
  readonly note?: () => string;
  isOver(): boolean;
  /** They wake the fiber when `isOver` may have changed. */
  readonly sources: readonly Waiters[];
}

/** The fibers that wait for one thing, in the order in which they came. */
export class Waiters {
  readonly #fibers = new Set<Fiber>();

  add(fiber: Fiber): void {
    this.#fibers.add(fiber);
  }

  delete(fiber: Fiber): void {
    this.#fibers.delete(fiber);
  }

  wakeFirst(): void {
    const [first] = this.#fibers;
    if (first === undefined) return;
    this.#fibers.delete(first);
    first.wake();
  }

  wakeAll(): void {
    for (const fiber of this.#fibers) fiber.wake();
    this.#fibers.clear();
  }
}

export type FiberOutcome =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'raised'; readonly error: Raised };

/** A fiber of a program: its main fiber, or a task. */
export class Fiber {
  /** 0 is the main fiber. */
  readonly number: number;
  outcome: FiberOutcome | undefined;
  /** Called when it has ended. */
  onEnd: (() => void) | undefined;
  /** The fibers that wait for its end. */
  readonly ending = new Waiters();
  readonly #body: Blocking;
  readonly #onWake: (fiber: Fiber) => void;
  #isCancelled = false;
  #wait: Wait | undefined;
  /** Whether `step` is running. */
  #isRunning = false;

  /** @param onWake called when it may be able to run again */
  constructor(number: number, body: Blocking, onWake: (fiber: Fiber) => void) {
    this.number = number;
    this.#body = body;
    this.#onWake = onWake;
  }

  /** Checked by blocking operations. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.wake();
  }

  wake(): void {
    if (this.outcome === undefined) this.#onWake(this);
  }

  /** Waits until one of the sources of its wait wakes it. */
  sleep(): void {
    for (const source of this.#wait?.sources ?? []) source.add(this);
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
    for (const source of this.#wait?.sources ?? []) source.delete(this);
    this.#wait = undefined;
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
    if (this.outcome === undefined) return;
    this.onEnd?.();
    this.ending.wakeAll();
  }
}
