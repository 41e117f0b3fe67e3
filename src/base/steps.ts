/** Long work that can be interrupted: at each `yield` others may have their turn. */
export type Steps<T> = Generator<undefined, T>;

/** Says when others have their turn. */
export interface Pace {
  /** Waits for the next turn if this one has lasted long enough. */
  breathe(): Promise<void>;
}

/** All of it in one go. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** All of it, others in between. */
export async function runPaced<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pace.breathe();
  }
}
