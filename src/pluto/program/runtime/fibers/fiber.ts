import type { Blocking, Value } from '../../backend/contract.ts';
import { Raised } from '../values/failures.ts';
import { Queue } from './queue.ts';

/** The reason why a fiber waits. Blocking operations yield it. */
export interface Wait {
  /** `recv on channel` */
  readonly what: string;
  /** A remark for the report of a deadlock. */
  readonly note?: (() => string) | undefined;
  isOver(): boolean;
  /** They wake the fiber when `isOver` may have changed. */
  readonly sources: readonly Waiters[];
}

/** A fiber in a queue; `undefined` if it left the queue before its turn. */
interface Place {
  fiber: Fiber | undefined;
}

/** The fibers that wait for one thing, in the order in which they came. */
export class Waiters {
  readonly #places = new Map<Fiber, Place>();
  // A queue: the first element of a map from which many were deleted takes long to find.
  readonly #queue = new Queue<Place>();

  add(fiber: Fiber): void {
    if (this.#places.has(fiber)) return;
    const place = { fiber };
    this.#places.set(fiber, place);
    this.#queue.push(place);
  }

  delete(fiber: Fiber): void {
    const place = this.#places.get(fiber);
    if (place === undefined) return;
    place.fiber = undefined;
    this.#places.delete(fiber);
  }

  wakeFirst(): void {
    for (let place = this.#queue.shift(); place !== undefined; place = this.#queue.shift()) {
      if (place.fiber === undefined) continue;
      this.#places.delete(place.fiber);
      return place.fiber.wake();
    }
  }

  wakeAll(): void {
    const waiting = Array.from(this.#places.keys());
    this.#places.clear();
    this.#queue.clear();
    for (const fiber of waiting) fiber.wake();
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
  readonly #start: () => Blocking;
  #body: Blocking | undefined;
  readonly #onWake: (fiber: Fiber) => void;
  readonly #release: (() => void) | undefined;
  #ending: Waiters | undefined;
  #isCancelled = false;
  #wait: Wait | undefined;
  /** Whether `step` is running. */
  #isRunning = false;

  /**
   * @param onWake called when it may be able to run again
   * @param release called before its end is known
   */
  constructor(number: number, start: () => Blocking, onWake: (fiber: Fiber) => void, release?: () => void) {
    this.number = number;
    this.#start = start;
    this.#onWake = onWake;
    this.#release = release;
  }

  /** The fibers that wait for its end. */
  get ending(): Waiters {
    return (this.#ending ??= new Waiters());
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
    if (this.#wait !== undefined) for (const source of this.#wait.sources) source.add(this);
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
    if (this.#wait !== undefined) for (const source of this.#wait.sources) source.delete(this);
    this.#wait = undefined;
    this.#isRunning = true;
    try {
      const { done, value } = (this.#body ??= this.#start()).next();
      // The emitted text itself yields nothing, so every yielded value is a `Wait`.
      if (done === true) this.#end({ kind: 'returned', value });
      else this.#wait = value as Wait;
    } catch (error) {
      if (!(error instanceof Raised)) throw error;
      this.#end({ kind: 'raised', error });
    } finally {
      this.#isRunning = false;
    }
    if (this.outcome === undefined) return;
    this.onEnd?.();
    this.#ending?.wakeAll();
  }
  #end(outcome: FiberOutcome): void {
    this.#release?.();
    this.outcome = outcome;
  }
}
