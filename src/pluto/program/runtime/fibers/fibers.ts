import type { Blocking, Value } from '../../backend/contract.ts';
import { fail } from '../values/failures.ts';
import { Fiber } from './fiber.ts';
import type { Policy } from './policies.ts';

/** Maximum number of live fibers in a test. */
const MAX_IN_TEST = 256;

/** The cooperative fiber scheduler of a running program. */
export class Fibers {
  readonly #policy: Policy;
  #alive: Fiber[] = [];
  #count = 0;
  #current: Fiber | undefined;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** The running fiber. */
  get current(): Fiber | undefined {
    return this.#current;
  }

  /** Picks one of `count` ready arms of a `select`. */
  pick(count: number): number {
    return this.#policy.pick(count);
  }

  /**
   * Lets another fiber run if the policy allows it. For non-blocking operations that a program polls in a loop.
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

  /** Starts a fiber. If the policy says so, it runs immediately until it waits. */
  spawn(body: Blocking): Fiber {
    const fiber = this.#add(body);
    if (this.#policy.startsAtSpawn) this.#step(fiber);
    return fiber;
  }

  /**
   * Runs the main fiber to its end, and other fibers as needed; in a test, all fibers to their ends.
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
