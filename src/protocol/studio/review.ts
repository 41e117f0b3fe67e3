/**
 * A review in the window of the Atlas Bridge plugin (mirrors `studio-plugin/src/core/review.luau`), on the command stream. The bridge sends
 * every word that the window shows; the plugin sends what the person pressed, with the revision that was shown. Unknown keys are ignored.
 */
import * as z from 'zod';
import { Choice } from '../sync-request.ts';

/** The capability that the plugin announces when it has a window for reviews. Used only for Studios that proved a key. */
export const reviewCapability = 'review';

// --- bridge → plugin -----------------------------------------------------------------------------------------------------------

/** One change, as text. */
export interface StudioReviewRow {
  readonly id: string;
  /** "Edit ServerScriptService/Main (Script)". */
  readonly title: string;
  /** The suggestion with its reason, or why the row has to be decided again. */
  readonly hint: string;
  /** Both sides in short, and what the current choice does; one line each. */
  readonly details: readonly string[];
  readonly choices: readonly Choice[];
  /** null: undecided. */
  readonly choice: Choice | null;
  /** Whether `reviewText` has lines to show. */
  readonly hasText: boolean;
}

/** Shows a review, or its new state. Replaces the one before. */
export interface ReviewShown {
  readonly type: 'review';
  readonly runId: string;
  readonly revision: number;
  readonly title: string;
  /** Who asks, the counts, and what Apply will do. */
  readonly summary: string;
  /** Why the last press had no effect; empty if it had one. */
  readonly note: string;
  readonly rows: readonly StudioReviewRow[];
  /** How many changes are not among `rows`. */
  readonly moreRows: number;
  readonly canApply: boolean;
  readonly words: {
    readonly choices: Readonly<Record<Choice, string>>;
    readonly bulk: readonly { readonly choice: Choice; readonly label: string }[];
    readonly apply: string;
    readonly reject: string;
    readonly undecided: string;
    readonly showText: string;
    /** Filled with `moreRows`. */
    readonly more: string;
  };
}
/** The differing lines of a row, `-` in Studio and `+` on disk. */
export interface ReviewText {
  readonly type: 'reviewText';
  readonly runId: string;
  readonly id: string;
  readonly lines: readonly string[];
}
/** The review was decided or ended, here or in another window. */
export interface ReviewClosed {
  readonly type: 'reviewClosed';
  readonly runId: string;
}
export type ReviewToPlugin = ReviewShown | ReviewText | ReviewClosed;

// --- plugin → bridge -----------------------------------------------------------------------------------------------------------

const pressed = { runId: z.string().max(64), revision: z.int().nonnegative() };

export const ReviewFromPlugin = z.discriminatedUnion('type', [
  /** Chooses for one row, or without `id` for all. */
  z.object({ type: z.literal('reviewChoice'), ...pressed, id: z.string().max(200).optional(), choice: Choice }),
  z.object({ type: z.literal('reviewDecision'), ...pressed, decision: z.enum(['apply', 'reject']) }),
  z.object({ type: z.literal('reviewShowText'), ...pressed, id: z.string().max(200) }),
]);
export type ReviewFromPlugin = z.infer<typeof ReviewFromPlugin>;
