import type { ProjectPath } from '../../base/brand.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';

/** One edit that can be undone. */
export interface HistoryStep {
  /** Names the edit to the user who undoes it. */
  readonly label: string;
  /** The changed modules. `before` is `undefined` if the step created the module. */
  readonly modules: ReadonlyMap<
    ProjectPath,
    { readonly before: LoadedModule | undefined; readonly after: LoadedModule }
  >;
}

const MAX_STEPS = 200;

/** The latest edits, newest last. */
export class EditHistory {
  readonly #steps: HistoryStep[] = [];

  push(step: HistoryStep): void {
    this.#steps.push(step);
    if (this.#steps.length > MAX_STEPS) this.#steps.shift();
  }

  get last(): HistoryStep | undefined {
    return this.#steps.at(-1);
  }

  get length(): number {
    return this.#steps.length;
  }

  drop(): void {
    this.#steps.pop();
  }
}
