import type { Blocking, Value } from '../../backend/contract.ts';
import { Copier } from '../values/copy.ts';
import { raise, runtimeErrors } from '../values/failures.ts';
import { messageOf } from '../values/text-of.ts';
import { Sender } from './channel.ts';
import type { Fiber, Wait } from './fiber.ts';
import type { Fibers } from './fibers.ts';

/** `Task<T>`. Its methods have their Pluto names. */
export class Task {
  readonly #fiber: Fiber;
  readonly #warn: (line: string) => void;
  #isDetached = false;

  constructor(fiber: Fiber, warn: (line: string) => void) {
    this.#fiber = fiber;
    this.#warn = warn;
    fiber.onEnd = () => this.#tell();
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
    this.#tell();
  }

  #tell(): void {
    const { outcome: ending } = this.#fiber;
    if (this.#isDetached && ending?.kind === 'raised')
      this.#warn(`pluto: error in detached task: ${messageOf(ending.error.value)}`);
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
  { isBlocking, isShared, warn }: SpawnOptions,
): Task {
  let copier: Copier | undefined;
  const own = captured.map(value => {
    if (value instanceof Sender) return new Sender(value.channel, true);
    return typeof value === 'object' || typeof value === 'function'
      ? (copier ??= new Copier(isShared)).copy(value)
      : value;
  });
  const start = (): Blocking => (isBlocking ? (body(...own) as Blocking) : later(() => body(...own)));
  const release = (): void => {
    for (const value of own) if (value instanceof Sender) value.close();
  };
  return new Task(fibers.spawn(start, release), warn);
}

// oxlint-disable-next-line require-yield -- the body of a fiber that never waits
function* later(run: () => Value): Blocking {
  return run();
}
