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

/** A fiber in a queue. */
interface Place {
  readonly waiters: Waiters;
  /** `undefined` if it left the queue before its turn. */
  fiber: Fiber | undefined;
  /** Another place of the fiber, which may wait for several things. */
  next: Place | undefined;
}

/** The fibers that wait for one thing, in the order in which they came. A fiber knows its places, because most wait for one thing. */
export class Waiters {
  // A queue: the first element of a map from which many were deleted takes long to find.
  readonly #queue = new Queue<Place>();

  add(fiber: Fiber): void {
    for (let place = fiber.places; place !== undefined; place = place.next) if (place.waiters === this) return;
    fiber.places = { waiters: this, fiber, next: fiber.places };
    this.#queue.push(fiber.places);
  }

  wakeFirst(): void {
    for (let place = this.#queue.shift(); place !== undefined; place = this.#queue.shift()) if (wake(place)) return;
  }

  wakeAll(): void {
    // A fiber that is woken may wait again, but not before the next step.
    for (let place = this.#queue.shift(); place !== undefined; place = this.#queue.shift()) wake(place);
  }
}

/** Removes a fiber from a place at the front of a queue and wakes it. @returns whether it was there */
function wake(place: Place): boolean {
  const { fiber } = place;
  if (fiber === undefined) return false;
  if (fiber.places === place) fiber.places = place.next;
  else
    for (let before = fiber.places; before !== undefined; before = before.next)
      if (before.next === place) before.next = place.next;
  place.fiber = undefined;
  fiber.wake();
  return true;
}

export type FiberOutcome =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'raised'; readonly error: Raised };

/** The code of a fiber. */
export interface FiberBody {
  start(): Blocking;
  /** Called before the end of the fiber is known. */
  release(): void;
  /** Called when the fiber has ended. */
  ended(): void;
}

/** A fiber of a program: its main fiber, or a task. */
export class Fiber {
  /** 0 is the main fiber. */
  readonly number: number;
  outcome: FiberOutcome | undefined;
  /** Whether it is in the queue of fibers that may be able to run. */
  isQueued = false;
  /** The queues in which it waits. */
  places: Place | undefined;
  readonly #body: FiberBody;
  readonly #onWake: (fiber: Fiber) => void;
  #steps: Blocking | undefined;
  #ending: Waiters | undefined;
  #isCancelled = false;
  #wait: Wait | undefined;
  /** Whether `step` is running. */
  #isRunning = false;

  /** @param onWake called when it may be able to run again */
  constructor(number: number, body: FiberBody, onWake: (fiber: Fiber) => void) {
    this.number = number;
    this.#body = body;
    this.#onWake = onWake;
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
    for (let place = this.places; place !== undefined; place = place.next) place.fiber = undefined;
    this.places = undefined;
    this.#wait = undefined;
    this.#isRunning = true;
    try {
      const { done, value } = (this.#steps ??= this.#body.start()).next();
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
    this.#body.ended();
    this.#ending?.wakeAll();
  }

  #end(outcome: FiberOutcome): void {
    this.#body.release();
    this.outcome = outcome;
  }
}
