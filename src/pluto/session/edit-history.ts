import type { ProjectPath } from '../../base/brand.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';

/** One step that can be taken back. */
export interface HistoryStep {
  /** What was done, for whoever takes it back. */
  readonly label: string;
  /** What it changed: `undefined` before, where the step made the module. */
  readonly modules: ReadonlyMap<
    ProjectPath,
    { readonly before: LoadedModule | undefined; readonly after: LoadedModule }
  >;
}

const MAX_STEPS = 200;

/** Steps that were taken, newest last; the oldest are forgotten. */
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
