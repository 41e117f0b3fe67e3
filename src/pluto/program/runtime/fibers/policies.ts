/** Decides which fiber runs next. */
export interface Policy {
  /** Whether a new fiber runs before the one that started it. */
  readonly startsAtSpawn: boolean;
  /** Whether other fibers run while one polls or sleeps. */
  readonly sharesTime: boolean;
  /** False: a fiber that waits is a deadlock. */
  readonly mayWait: boolean;
  /** Whether remaining fibers run to their ends after the main fiber. */
  readonly finishesAll: boolean;
  /** Suffix of the deadlock message: ` in test`. */
  readonly place: string;
  /** How to reproduce a deadlock. */
  readonly note: string;
  /** Picks the next fiber among `count` ready ones. Without it, fibers take turns by number. */
  readonly choose?: (count: number) => number;
  /** Picks one of `count` equivalent choices. */
  pick(count: number): number;
}

/** The policy outside of tests. @param random 0 ≤ x < 1 */
export const programPolicy = (random: () => number): Policy => ({
  startsAtSpawn: true,
  sharesTime: true,
  mayWait: true,
  finishesAll: false,
  place: '',
  note: '',
  pick: count => Math.floor(random() * count),
});

const inTests = { finishesAll: true, sharesTime: false, place: ' in test', note: '' } as const;

/** A task runs to its end when it is spawned. */
export const sequentialPolicy = (): Policy => ({
  ...inTests,
  startsAtSpawn: true,
  mayWait: false,
  pick: () => 0,
});

export const roundRobinPolicy = (): Policy => ({
  ...inTests,
  startsAtSpawn: false,
  mayWait: true,
  pick: () => 0,
});

/** @param seed of this run, shown in `note` */
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
    choose: pick,
    pick,
  };
}

/** A choice and the number of alternatives. */
interface Choice {
  readonly taken: number;
  readonly count: number;
}

/** Enumerates all schedules of the fibers until `isDone`. */
export class Exploration {
  readonly #mostDepth: number;
  #script: readonly number[] = [];
  #choices: Choice[] = [];
  #isDone = false;
  #isCut = false;
  #explored = 0;

  /** @param mostDepth after this number of choices, the first alternative is always taken */
  constructor(mostDepth: number) {
    this.#mostDepth = mostDepth;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get explored(): number {
    return this.#explored;
  }

  /** Whether schedules were skipped because of the depth limit. */
  get isIncomplete(): boolean {
    return this.#isCut;
  }

  /** The policy for one run. */
  policy(): Policy {
    this.#choices = [];
    this.#explored += 1;
    const pick = (count: number): number => this.#choose(count);
    return {
      ...inTests,
      note: `Schedule ${this.#explored}`,
      startsAtSpawn: false,
      mayWait: true,
      choose: pick,
      pick,
    };
  }

  /** Advances to the next schedule after a run. */
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
