import type { ProjectPath } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { DiskIndex } from '../tree/disk-index.ts';
import type { DiskFindings } from './disk-reader.ts';

/** Milliseconds for which a file must stay empty until its new content is accepted. */
export const EMPTY_QUIET_MS = 1_000;

/**
 * Files that had content and are now empty. Some editors truncate a file before they write it, so an empty file is accepted only after a
 * while; until then, the tree keeps its content.
 */
export class EmptiedFiles {
  readonly #clock: Clock;
  /** When each one was first seen empty, and the time of its last change. */
  readonly #since = new Map<ProjectPath, { readonly at: number; readonly changeMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the findings without recently emptied files, and the milliseconds until the first of these is accepted.
   *
   * @param hasHints whether the scan follows a hint, so that its findings are new. Otherwise, the time of the file is used.
   */
  *withoutRecentlyEmptied(
    findings: DiskFindings,
    index: DiskIndex,
    hasHints: boolean,
  ): PausableWork<{ readonly findings: DiskFindings; readonly held: readonly ProjectPath[]; readonly ms: number }> {
    const held = new Set<ProjectPath>();
    let ms = EMPTY_QUIET_MS;
    const now = this.#clock.now();
    for (const path of findings.changed) {
      yield;
      const changeMs = emptiedAt(findings, index, path);
      const known = this.#since.get(path);
      this.#since.delete(path);
      if (changeMs === undefined) continue;
      const isKnown = known?.changeMs === changeMs;
      if (!isKnown && !hasHints && Date.parse(this.#clock.date()) - changeMs >= EMPTY_QUIET_MS) continue;
      const at = isKnown ? known.at : now;
      const left = at + EMPTY_QUIET_MS - now;
      if (left <= 0) continue;
      this.#since.set(path, { at, changeMs });
      held.add(path);
      ms = Math.min(ms, left);
    }
    if (held.size === 0) return { findings, held: [], ms: 0 };
    const changed = new Set(Array.from(findings.changed).filter(path => !held.has(path)));
    return { findings: { ...findings, changed }, held: Array.from(held), ms };
  }
}

/** The time of the last change of a file that had content and is empty now; `undefined` for all others. */
function emptiedAt({ read }: DiskFindings, index: DiskIndex, path: ProjectPath): number | undefined {
  const now = read.get(path)?.seen;
  const before = index.get(path);
  return now?.kind === 'file' && now.size === 0 && before?.kind === 'file' && before.size > 0
    ? Math.max(now.mtimeMs, now.ctimeMs)
    : undefined;
}
