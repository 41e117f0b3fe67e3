import type { Fiber } from './fiber.ts';

/** Which fiber goes on when one waits. */
export interface Policy {
  /** A new fiber goes on before the one that started it. */
  readonly startsAtSpawn: boolean;
  /** Others go on while one asks again and again, or sleeps. */
  readonly sharesTime: boolean;
  /** False: what waits has lost. */
  readonly mayWait: boolean;
  /** Whether fibers that are left when the first one has ended go on to their ends. */
  readonly finishesAll: boolean;
  /** Where a deadlock is said to be: ` in test`. */
  readonly place: string;
  /** What one must know to see a deadlock again. */
  readonly note: string;
  /**
   * @param fibers those that have not ended, by their numbers
   * @param last the number of the one that went on last
   * @returns `undefined` when none can
   */
  next(fibers: readonly Fiber[], last: number): Fiber | undefined;
  /** One of `count` things that are equally good. */
  pick(count: number): number;
}

const readyAfter = (fibers: readonly Fiber[], last: number): Fiber | undefined =>
  fibers.find(fiber => fiber.number > last && fiber.isReady) ?? fibers.find(fiber => fiber.isReady);

/** How a program runs outside of tests. @param random 0 ≤ x < 1 */
export const programPolicy = (random: () => number): Policy => ({
  startsAtSpawn: true,
  sharesTime: true,
  mayWait: true,
  finishesAll: false,
  place: '',
  note: '',
  next: readyAfter,
  pick: count => Math.floor(random() * count),
});

const inTests = { finishesAll: true, sharesTime: false, place: ' in test', note: '' } as const;

/** A task runs to its end where it is started. */
export const sequentialPolicy = (): Policy => ({
  ...inTests,
  startsAtSpawn: true,
  mayWait: false,
  next: readyAfter,
  pick: () => 0,
});

export const roundRobinPolicy = (): Policy => ({
  ...inTests,
  startsAtSpawn: false,
  mayWait: true,
  next: readyAfter,
  pick: () => 0,
});

/** @param seed of this run; `note` says it */
export function randomPolicy(seed: bigint, note: string): Policy {
  let state = BigInt.asUintN(64, seed);
  const pick = (count: number): number => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(state % BigInt(count));
  };
  return {
    ...inTests,
    note,
    startsAtSpawn: false,
    mayWait: true,
    next: fibers => pickReady(fibers, pick),
    pick,
  };
}

function pickReady(fibers: readonly Fiber[], pick: (count: number) => number): Fiber | undefined {
  const ready = fibers.filter(({ isReady }) => isReady);
  return ready.length === 0 ? undefined : ready[pick(ready.length)];
}

/** A choice that was made, of so many. */
interface Choice {
  readonly taken: number;
  readonly count: number;
}

/** Every order in which fibers can go on, one after another, until `isDone`. */
export class Exploration {
  readonly #mostDepth: number;
  #script: readonly number[] = [];
  #choices: Choice[] = [];
  #isDone = false;
  #isCut = false;
  #explored = 0;

  /** @param mostDepth beyond so many choices the first one is taken */
  constructor(mostDepth: number) {
    this.#mostDepth = mostDepth;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get explored(): number {
    return this.#explored;
  }

  /** Some schedules were not looked at, because they have more choices than are looked at. */
  get isIncomplete(): boolean {
    return this.#isCut;
  }

  /** For one run from its start. */
  policy(): Policy {
    this.#choices = [];
    this.#explored += 1;
    return {
      ...inTests,
      note: `Schedule ${this.#explored}`,
      startsAtSpawn: false,
      mayWait: true,
      next: fibers => pickReady(fibers, count => this.#choose(count)),
      pick: count => this.#choose(count),
    };
  }

  /** After a run: on to the next order. */
  advance(): void {
    const last = this.#choices.findLastIndex(({ taken, count }) => taken + 1 < count);
    this.#isDone = last === -1;
    this.#script = this.#choices.slice(0, last + 1).map(({ taken }, index) => (index === last ? taken + 1 : taken));
  }

  #choose(count: number): number {
    if (count === 1) return 0;
    if (this.#choices.length >= this.#mostDepth) {
      this.#isCut = true;
      return 0;
    }
    const taken = this.#script[this.#choices.length] ?? 0;
    this.#choices.push({ taken, count });
    return taken;
  }
}
