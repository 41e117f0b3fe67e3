import { plainText } from '../base/line-ends.ts';
import { reviewRefused } from '../base/errors.ts';
import type { DiffHunk, DiffTexts } from '../ports/review-surface.ts';
import type { Direction } from '../protocol/sync-request.ts';
import { findHunks, mergeHunks } from './hunks.ts';

type HunkChoices = readonly (Direction | null)[];

/** The two texts of a change that a diff shows, and the decision for each hunk. */
export class HunkDecisions {
  readonly disk: string;
  readonly studio: string;
  #hunks: readonly DiffHunk[];

  constructor(disk: string, studio: string) {
    this.disk = disk;
    this.studio = studio;
    this.#hunks = findHunks(disk, studio).map(hunk => ({ ...hunk, choice: null }));
  }

  /** Returns `undefined` when one side has no text, because there are no hunks then. */
  static of({ disk, studio }: Pick<DiffTexts, 'disk' | 'studio'>): HunkDecisions | undefined {
    return disk === undefined || studio === undefined ? undefined : new HunkDecisions(disk.text, studio.text);
  }

  hunks(): readonly DiffHunk[] {
    return this.#hunks;
  }

  choices(): HunkChoices {
    return this.#hunks.map(({ choice }) => choice);
  }

  /** Sets all decisions. Ignores decisions about a different number of hunks. */
  restore(choices: HunkChoices): void {
    if (choices.length !== this.#hunks.length) return;
    this.#hunks = this.#hunks.map((hunk, at) => ({ ...hunk, choice: choices[at] ?? null }));
  }

  /** Decides all hunks like the whole change. */
  decideAll(choice: Direction | null): void {
    this.#hunks = this.#hunks.map(hunk => ({ ...hunk, choice }));
  }

  /** @throws AppError REVIEW_REFUSED when there is no such hunk */
  decide(index: number, choice: Direction): void {
    if (this.#hunks[index] === undefined) throw reviewRefused('no_such_hunk');
    this.#hunks = this.#hunks.map((hunk, at) => (at === index ? { ...hunk, choice } : hunk));
  }

  /** Combines the decisions: one direction if all hunks agree, otherwise the merged text; `undefined` while a hunk is undecided. */
  outcome(): Direction | { readonly text: string } | undefined {
    const decided = this.#hunks.flatMap(({ choice, ...hunk }) => (choice === null ? [] : [{ ...hunk, choice }]));
    if (decided.length < this.#hunks.length) return undefined;
    const first = decided[0]?.choice;
    if (first !== undefined && decided.every(({ choice }) => choice === first)) return first;
    return { text: mergeHunks(this.disk, this.studio, decided) };
  }

  /** The direction that keeps exactly `text`, which is then not a merge. Ignores line ends and a byte-order mark. */
  directionOf(text: string): Direction | undefined {
    const plain = plainText(text);
    if (plain === plainText(this.disk)) return 'push';
    return plain === plainText(this.studio) ? 'pull' : undefined;
  }
}
