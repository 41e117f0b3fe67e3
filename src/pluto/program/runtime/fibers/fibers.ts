import type { Blocking, Value } from '../../backend/contract.ts';
import { fail } from '../values/failures.ts';
import { Fiber, type FiberBody } from './fiber.ts';
import type { Policy } from './policies.ts';
import { ReadyQueue } from './ready-queue.ts';

/** Maximum number of live fibers in a test. */
const MAX_IN_TEST = 256;

/** The cooperative fiber scheduler of a running program. */
export class Fibers {
  readonly #policy: Policy;
  /** In the order of their numbers. */
  readonly #alive = new Set<Fiber>();
  readonly #ready = new ReadyQueue();
  readonly #wake = (fiber: Fiber): void => this.#ready.add(fiber);
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
   * @returns whether there was one
   */
  wakeNext(): boolean {
    if (!this.#policy.sharesTime) return false;
    const other = this.#next();
    if (other === undefined) return false;
    this.#step(other);
    return true;
  }

  /** Starts a fiber. If the policy says so, it runs immediately until it waits. */
  spawn(body: FiberBody): Fiber {
    const fiber = this.#add(body);
    if (this.#policy.startsAtSpawn) this.#step(fiber);
    else this.#ready.add(fiber);
    return fiber;
  }

  /**
   * Runs the main fiber to its end, and other fibers as needed; in a test, all fibers to their ends.
   * @throws Raised, Failure
   */
  run(body: Blocking): Value {
    const main = this.#add({ start: () => body, release: () => {}, ended: () => {} });
    for (let next = main; ; next = this.#next() ?? this.#anyReady() ?? fail(this.#deadlock())) {
      this.#step(next);
      if (main.outcome?.kind === 'raised') throw main.outcome.error;
      if (main.outcome !== undefined && (this.#alive.size === 0 || !this.#policy.finishesAll))
        return main.outcome.value;
    }
  }

  #add(body: FiberBody): Fiber {
    if (this.#policy.finishesAll && this.#alive.size >= MAX_IN_TEST)
      fail(`pluto: more than ${MAX_IN_TEST} fibers in a test`);
    const fiber = new Fiber(this.#count, body, this.#wake);
    this.#count += 1;
    this.#alive.add(fiber);
    return fiber;
  }

  #next(): Fiber | undefined {
    const { choose } = this.#policy;
    if (choose !== undefined) {
      const ready = Array.from(this.#alive).filter(({ isReady }) => isReady);
      return ready.length === 0 ? undefined : ready[choose(ready.length)];
    }
    for (;;) {
      const fiber = this.#ready.take();
      if (fiber === undefined || fiber.isReady) return fiber;
      // Another fiber was faster.
      fiber.sleep();
    }
  }

  /** A deadlock is reported only if every fiber waits. */
  #anyReady(): Fiber | undefined {
    for (const fiber of this.#alive) if (fiber.isReady) return fiber;
    return undefined;
  }

  #step(fiber: Fiber): void {
    const before = this.#current;
    this.#current = fiber;
    try {
      fiber.step();
    } finally {
      this.#current = before;
    }
    if (fiber.outcome !== undefined) return void this.#alive.delete(fiber);
    const wait = fiber.blockedOn;
    if (wait === undefined) return this.#ready.add(fiber);
    fiber.sleep();
    if (!this.#policy.mayWait) fail(`pluto: deadlock: ${wait.what} would wait for ever in sequential test mode`);
  }

  #deadlock(): string {
    const { place, note } = this.#policy;
    const lines = Array.from(
      this.#alive,
      ({ number, blockedOn }) =>
        `  Fiber ${number}: blocked on ${blockedOn?.what ?? 'nothing'}${blockedOn?.note?.() ?? ''}`,
    );
    return [`pluto: deadlock detected${place}`, ...lines, ...(note === '' ? [] : [`  ${note}`])].join('\n');
  }
}
