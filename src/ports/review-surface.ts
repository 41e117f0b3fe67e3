import type { Translate } from '../base/sentence.ts';
import type { ReviewDrafts } from './review-drafts.ts';
import type { ReviewRow, ReviewSnapshot, ReviewStatus, RowDecision } from '../protocol/review.ts';
import type { Choice, Direction } from '../protocol/sync.ts';

/** The two texts of a change, for a diff editor. `undefined`: that side has none. */
export interface DiffTexts {
  readonly title: string;
  readonly disk: { readonly fsPath: string | null; readonly text: string } | undefined;
  readonly studio: { readonly text: string } | undefined;
  /** What both sides come from, for a three-way merge. */
  readonly base: { readonly text: string } | undefined;
}

/** One place where the two texts of a change differ; lines count from 0. `choice`: whose lines are taken, null = undecided. */
export interface DiffHunk {
  readonly disk: { readonly start: number; readonly count: number };
  readonly studio: { readonly start: number; readonly count: number };
  readonly choice: Direction | null;
}

/** What has changed in a review since the revision before. */
export interface ReviewUpdate {
  readonly status: ReviewStatus;
  /** Of these rows the decision; `undefined`: anything may have changed, ask for the snapshot. */
  readonly rows: readonly RowDecision[] | undefined;
}

/** What a surface may do to the review that it shows. Intents on an old revision reject with a message for the person. */
export interface ReviewControl {
  snapshot(): ReviewSnapshot;
  /** The same without the rows: costs nothing, whatever their number. */
  status(): ReviewStatus;
  /** One row as it is now. */
  row(id: string): ReviewRow | undefined;
  onDidChange(listener: (update: ReviewUpdate) => void): Disposable;
  choose(ids: readonly string[], choice: Choice): void;
  apply(revision: number): void;
  reject(revision: number): void;
  /** The surface says in which window it shows the review; `undefined`: in none any more. */
  setShownIn(window: string | undefined): void;
  /** Compares both sides again, unless that is under way or the review is decided. */
  refresh(): void;
  /** Reads what is needed from Studio. @throws AppError when a side cannot be read */
  texts(id: string): Promise<DiffTexts>;
  /** Where the texts differ that `texts` has read last; empty when that is not known or a side has moved since. */
  hunks(id: string): readonly DiffHunk[];
  /**
   * Decides one place. With the last one the change is decided: push or pull where all of it comes from one side, else the text of both is
   * merged as by `merge`.
   */
  decideHunk(id: string, hunk: number, choice: Direction): Promise<void>;
  /**
   * Writes a text of both sides to disk, with the old one in the journal, and chooses push for it. Refused, with nothing written, when a side
   * is no longer what `texts` has read last.
   */
  merge(id: string, text: string): Promise<void>;
}

/** Where a person decides. There is one; without it (no window) a run that needs a person ends `error` with that word. */
export interface ReviewSurface {
  /** What was chosen here and not decided; `undefined`: nothing outlives the window. */
  readonly drafts?: ReviewDrafts | undefined;
  /** Into the language of the person who decides; left out: English. */
  readonly translate?: Translate | undefined;
  /**
   * Shows the review. Resolves when the page has reported that the first snapshot is laid out.
   * @throws AppError REVIEW_NOT_SHOWN when the page did not report in time; nothing was decided
   */
  show(review: ReviewControl, signal: AbortSignal): Promise<void>;
}
