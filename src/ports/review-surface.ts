import type { Translate } from '../base/sentence.ts';
import type { ReviewDrafts } from './review-drafts.ts';
import type { ReviewRow, ReviewSnapshot, ReviewStatus, RowDecision } from '../protocol/review.ts';
import type { Choice, Direction } from '../protocol/sync-request.ts';

/** The two texts of a change, for a diff editor. `undefined`: that side has none. */
export interface DiffTexts {
  /** The name of the instance or declaration. */
  readonly title: string;
  readonly disk: { readonly fsPath: string | null; readonly text: string } | undefined;
  readonly studio: { readonly text: string } | undefined;
  /** The base of a three-way merge: the text of the last sync, or the committed one if that is unknown. */
  readonly base: { readonly text: string; readonly origin: 'sync' | 'commit' } | undefined;
  /** The merge that the person made, else that of all three texts with markers around conflicts; absent if they were not merged. */
  readonly merged?: { readonly text: string };
}

/** One difference between the two texts of a change. Lines are numbered from 0. `choice`: the side whose lines are used, null = undecided. */
export interface DiffHunk {
  readonly disk: { readonly start: number; readonly count: number };
  readonly studio: { readonly start: number; readonly count: number };
  readonly choice: Direction | null;
}

/** The changes in a review since the previous revision. */
export interface ReviewUpdate {
  readonly status: ReviewStatus;
  /** The rows whose decision changed; `undefined`: anything may have changed, so read the snapshot. */
  readonly rows: readonly RowDecision[] | undefined;
}

/** The actions that a surface offers on the review it shows. Actions on an old revision reject with a message for the person. */
export interface ReviewControl {
  snapshot(): ReviewSnapshot;
  /** The snapshot without its rows; cheap for any number of rows. */
  status(): ReviewStatus;
  /** The current state of one row. */
  row(id: string): ReviewRow | undefined;
  onDidChange(listener: (update: ReviewUpdate) => void): Disposable;
  choose(ids: readonly string[], choice: Choice): void;
  apply(revision: number): void;
  reject(revision: number): void;
  /** Records the window that shows the review; `undefined`: no window shows it anymore. */
  setShownIn(window: string | undefined): void;
  /** The window that shows the review, if any. */
  shownIn(): string | undefined;
  /** A number that changes whenever a side of the change does; `undefined`: the change no longer exists. */
  version(id: string): number | undefined;
  /** Compares both sides again, unless a comparison is in progress or the review is decided. */
  refresh(): void;
  /**
   * Compares a property of `ReviewSnapshot.untracked` from now on and pulls it. Undecided if its instance has other changes. Rejects if it
   * is not listed, or if the review is decided.
   */
  track(id: string, property: string): Promise<void>;
  /** Reads the two texts, from Studio if necessary. @throws AppError if a side cannot be read */
  texts(id: string): Promise<DiffTexts>;
  /** The differences between the texts that `texts` read last; empty if they are unknown or a side has changed since. */
  hunks(id: string): readonly DiffHunk[];
  /**
   * Decides one hunk. The last hunk decides the change: push or pull if all hunks use the same side, else a merge of both texts as by
   * `merge`. Until then the change is undecided. In a change that was decided as a whole, the other hunks keep its side.
   */
  decideHunk(id: string, hunk: number, choice: Direction): Promise<void>;
  /**
   * Chooses a merged text for both sides, which Apply writes. A text that one side already has chooses that side. Rejects if a side has
   * changed since `texts` read it, or if the text cannot be written.
   */
  merge(id: string, text: string): Promise<void>;
}

/** The window where a person decides. Without it, only the requester (a terminal, a client with forms) can show a review. */
export interface ReviewSurface {
  /** Stores choices of undecided reviews; `undefined`: choices do not survive the window. */
  readonly drafts?: ReviewDrafts | undefined;
  /** Translates into the language of the person who decides; omitted: English. */
  readonly translate?: Translate | undefined;
  /**
   * Shows the review. Resolves when the page has reported that it rendered the first snapshot.
   * @throws AppError REVIEW_NOT_SHOWN if the page did not report in time; nothing was decided
   */
  show(review: ReviewControl, signal: AbortSignal): Promise<void>;
}
