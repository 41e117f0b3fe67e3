import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectDiagnostic } from '../project-session.ts';
import { compareByteOrder } from '../../base/byte-order.ts';
import { sortInSteps } from '../../base/sort-in-steps.ts';

/** The diagnostics of one read, by the key of the instance being read, and the children of each instance. */
export interface ReadDiagnostics {
  readonly reported: ReadonlyMap<string, readonly ProjectDiagnostic[]>;
  readonly children: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Instances that are processed between two pauses. */
const BATCH_SIZE = 64;

/** Keeps each diagnostic until its instance is read again or removed from its parent. */
export class DiagnosticStore {
  readonly #reported = new Map<string, readonly ProjectDiagnostic[]>();
  readonly #children = new Map<string, ReadonlySet<string>>();
  #list: readonly ProjectDiagnostic[] = [];

  /** All diagnostics without duplicates, sorted by file, line and column. */
  list(): readonly ProjectDiagnostic[] {
    return this.#list;
  }

  /** Adds the diagnostics of several reads atomically. Returns whether the list changed. */
  *accept(readings: readonly ReadDiagnostics[]): PausableWork<boolean> {
    let isTouched = false;
    for (const reports of readings) {
      yield;
      isTouched = (yield* this.#take(reports)) || isTouched;
    }
    if (!isTouched) return false;
    const sorted = yield* sortInSteps(Array.from(this.#reported.values()).flat(), compare);
    const list: ProjectDiagnostic[] = [];
    for (const [index, item] of sorted.entries()) {
      if (index % BATCH_SIZE === 0) yield;
      if (!isEqual(item, sorted[index - 1])) list.push(item);
    }
    const isSame = list.length === this.#list.length && list.every((item, index) => isEqual(item, this.#list[index]));
    if (!isSame) this.#list = list;
    return !isSame;
  }

  /** @returns whether there are diagnostics now, or were before */
  *#take(reports: ReadDiagnostics): PausableWork<boolean> {
    const before = this.#reported.size;
    let isTouched = false;
    let count = 0;
    for (const [key, children] of reports.children) {
      if ((count += 1) % BATCH_SIZE === 0) yield;
      for (const child of this.#children.get(key) ?? []) if (!children.has(child)) this.#forget(child);
      if (children.size > 0) this.#children.set(key, children);
      else this.#children.delete(key);
    }
    for (const [key, diagnostics] of reports.reported) {
      if ((count += 1) % BATCH_SIZE === 0) yield;
      if (diagnostics.length > 0) {
        this.#reported.set(key, diagnostics);
        isTouched = true;
      } else if (this.#reported.delete(key)) isTouched = true;
    }
    return isTouched || this.#reported.size !== before;
  }

  #forget(key: string): void {
    this.#reported.delete(key);
    const children = this.#children.get(key) ?? [];
    this.#children.delete(key);
    for (const child of children) this.#forget(child);
  }
}

const compare = (a: ProjectDiagnostic, b: ProjectDiagnostic): number =>
  compareByteOrder(a.file, b.file) || a.line - b.line || a.column - b.column || compareByteOrder(a.message, b.message);

const isEqual = (a: ProjectDiagnostic, b: ProjectDiagnostic | undefined): boolean =>
  b !== undefined &&
  a.file === b.file &&
  a.line === b.line &&
  a.column === b.column &&
  a.message === b.message &&
  a.severity === b.severity;
