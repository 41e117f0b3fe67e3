import type { Blocking, Value } from '../../backend/contract.ts';
import { Copier } from '../values/copy.ts';
import { raise, runtimeErrors } from '../values/failures.ts';
import { messageOf } from '../values/text-of.ts';
import { Sender } from './channel.ts';
import type { Fiber, FiberBody, Wait } from './fiber.ts';
import type { Fibers } from './fibers.ts';

/** `Task<T>`. Its methods have their Pluto names. */
export class Task implements FiberBody {
  readonly #captured: readonly Value[];
  readonly #body: (...captured: Value[]) => Value;
  readonly #options: SpawnOptions;
  readonly #fiber: Fiber;
  #isDetached = false;

  /** Starts the task, which owns the captured values. */
  constructor(
    fibers: Fibers,
    captured: readonly Value[],
    body: (...captured: Value[]) => Value,
    options: SpawnOptions,
  ) {
    this.#captured = captured;
    this.#body = body;
    this.#options = options;
    this.#fiber = fibers.spawn(this);
  }

  start(): Blocking {
    return this.#options.isBlocking ? (this.#body(...this.#captured) as Blocking) : this.#later();
  }

  // oxlint-disable-next-line require-yield -- the body of a fiber that never waits
  *#later(): Blocking {
    return this.#body(...this.#captured);
  }

  release(): void {
    for (const value of this.#captured) if (value instanceof Sender) value.close();
  }

  ended(): void {
    // The task may end before its constructor does, so its fiber is not known then.
    if (this.#isDetached) this.#report();
  }

  /** The result of a task that has ended well. @returns `undefined` otherwise, and if there is no result */
  $get(): Value {
    const { outcome } = this.#fiber;
    return outcome?.kind === 'returned' ? outcome.value : undefined;
  }

  /** Waits for the task. Repeated calls return the same result. @throws Raised */
  *get(): Blocking {
    const fiber = this.#fiber;
    while (fiber.outcome === undefined)
      yield {
        what: `get of task ${fiber.number}`,
        isOver: () => fiber.outcome !== undefined,
        sources: [fiber.ending],
      } satisfies Wait;
    if (fiber.outcome.kind === 'raised') throw fiber.outcome.error;
    if (fiber.isCancelled && fiber.outcome.value === undefined) raise(runtimeErrors.TaskCancelled, ['task cancelled']);
    return fiber.outcome.value;
  }

  cancel(): void {
    this.#fiber.cancel();
  }

  /** Its result will not be read, so its error is printed. */
  detach(): void {
    if (this.#isDetached) return;
    this.#isDetached = true;
    this.#report();
  }

  #report(): void {
    const { outcome } = this.#fiber;
    if (outcome?.kind === 'raised')
      this.#options.warn(`pluto: error in detached task: ${messageOf(outcome.error.value)}`);
  }
}

interface SpawnOptions {
  /** Whether `body` returns a generator. */
  readonly isBlocking: boolean;
  /** Singletons are not copied. */
  readonly isShared: (value: object) => boolean;
  /** Prints a line to stderr. */
  readonly warn: (line: string) => void;
}

/** `spawn`: copies the captured values together. Captured senders stay referenced until the task ends. */
export function spawn(
  fibers: Fibers,
  captured: readonly Value[],
  body: (...captured: Value[]) => Value,
  options: SpawnOptions,
): Task {
  let copier: Copier | undefined;
  const own = captured.map(value => {
    if (value instanceof Sender) return new Sender(value.channel, true);
    return typeof value === 'object' || typeof value === 'function'
      ? (copier ??= new Copier(options.isShared)).copy(value)
      : value;
  });
  return new Task(fibers, own, body, options);
}
