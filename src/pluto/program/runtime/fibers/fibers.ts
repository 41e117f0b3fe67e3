import type { Blocking, Value } from '../../backend/contract.ts';
import { fail } from '../values/failures.ts';
import { Fiber } from './fiber.ts';
import type { Policy } from './policies.ts';

/** Most fibers of one test that have not ended. */
const MAX_IN_TEST = 256;

/** All fibers of one program that runs. One goes on at a time, until it must wait. */
export class Fibers {
  readonly #policy: Policy;
  #alive: Fiber[] = [];
  #count = 0;
  #current: Fiber | undefined;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** The one that goes on now. */
  get current(): Fiber | undefined {
    return this.#current;
  }

  /** One number of `count`, for the arm of a select. */
  pick(count: number): number {
    return this.#policy.pick(count);
  }

  /**
   * For operations that do not wait, and are asked again and again until something has changed: lets another fiber go on meanwhile, where
   * the policy says so.
   * @returns whether there was one
   */
  wakeNext(): boolean {
    if (!this.#policy.sharesTime) return false;
    const other = this.#policy.next(this.#alive, this.#current?.number ?? 0);
    if (other === undefined) return false;
    this.#step(other);
    return true;
  }

  /** Where the policy says so, the fiber goes on at once until it must wait. */
  spawn(body: Blocking): Fiber {
    const fiber = this.#add(body);
    if (this.#policy.startsAtSpawn) this.#step(fiber);
    return fiber;
  }

  /**
   * Runs the start of a program to its end; other fibers as far as that needs it, or all of them in a test.
   * @throws Raised, Failure
   */
  run(body: Blocking): Value {
    const main = this.#add(body);
    for (let next = main; ; next = this.#next(next)) {
      this.#step(next);
      this.#alive = this.#alive.filter(({ outcome: ending }) => ending === undefined);
      if (main.outcome?.kind === 'raised') throw main.outcome.error;
      if (main.outcome !== undefined && (this.#alive.length === 0 || !this.#policy.finishesAll))
        return main.outcome.value;
    }
  }

  #add(body: Blocking): Fiber {
    if (this.#policy.finishesAll && this.#alive.length >= MAX_IN_TEST)
      fail(`pluto: more than ${MAX_IN_TEST} fibers in a test`);
    const fiber = new Fiber(this.#count, body);
    this.#count += 1;
    this.#alive.push(fiber);
    return fiber;
  }

  #next(last: Fiber): Fiber {
    return this.#policy.next(this.#alive, last.number) ?? fail(this.#deadlock());
  }

  #step(fiber: Fiber): void {
    const before = this.#current;
    this.#current = fiber;
    try {
      fiber.step();
    } finally {
      this.#current = before;
    }
    const wait = fiber.outcome === undefined ? fiber.blockedOn : undefined;
    if (wait !== undefined && !this.#policy.mayWait)
      fail(`pluto: deadlock: ${wait.what} would wait for ever in sequential test mode`);
  }

  #deadlock(): string {
    const { place, note } = this.#policy;
    const lines = this.#alive.map(fiber => `  Fiber ${fiber.number}: blocked on ${fiber.blockedOn?.what ?? 'nothing'}`);
    return [`pluto: deadlock detected${place}`, ...lines, ...(note === '' ? [] : [`  ${note}`])].join('\n');
  }
}
