/**
 * Messages between the extension and the review webview. Snapshots are complete, deltas name the revision that they build
 * on, intents the revision that they were made on. The webview imports types only.
 */
import * as z from 'zod';
import {
  type ChangeOutcome,
  Choice,
  type DefaultReason,
  type Direction,
  type PatchType,
  type PropertyChange,
  type Verdict,
} from './sync.ts';

/**
 * Which two sides a review is about. `pluto`: a `.pt`, which stands wherever disk is named, and its `.pluto`, which stands wherever Studio
 * is: push makes the `.pt` win, pull the `.pluto`. The page has words for each pair.
 */
export type SidePair = 'studio' | 'pluto';

/** Who made a difference: `both` sides moved, or nobody knows. */
export type ChangedSide = 'disk' | 'studio' | 'both' | 'unknown';

/** `no_base`: nothing says what both sides last agreed on. */
export type ReviewReason = DefaultReason | 'no_base';

/** One change as the review shows it. */
export interface ReviewRow {
  readonly id: string;
  readonly path: string;
  readonly className: string;
  readonly patchType: PatchType;
  readonly fsPath: string | null;
  /** Whether `openDiff` has two texts to show. */
  readonly hasSource: boolean;
  readonly properties: Readonly<Record<string, PropertyChange>>;
  readonly defaultSelection: Direction | null;
  readonly defaultReason: ReviewReason;
  /** Where it was changed since both sides agreed, as far as base and git can tell. */
  readonly side: ChangedSide;
  /** Base, disk and Studio, and what follows for the default, in sentences. */
  readonly explanation: string;
  /** What the agent asked for, and what became of it. */
  readonly override: { readonly direction: Direction; readonly verdict: Verdict } | null;
  /** What is chosen now; null = undecided. */
  readonly choice: Choice | null;
  /** The change whose choice brought this one along; null = it was chosen for itself. */
  readonly follows: string | null;
  /** A side moved while the review was open, and it was not decided since. */
  readonly moved: boolean;
  /** It was chosen in a window that went before anything was decided; both sides are as they were then. */
  readonly kept: boolean;
  /** After the end: what became of it. */
  readonly outcome: ChangeOutcome | null;
  /** Why it is undecided although something was asked for, or why it failed. */
  readonly reason: string | null;
  /** Names for what is a number in `properties`: of enum items, by property and side. */
  readonly enumNames?: Readonly<Record<string, Partial<Record<keyof PropertyChange, string>>>>;
}

/** What a choice changes of a row. */
export type RowDecision = Pick<ReviewRow, 'id' | 'choice' | 'follows' | 'moved' | 'kept' | 'reason'>;

/** Which side a restore brings back; the record stands where the other one stands in a sync. */
export type RestoredSide = 'disk' | 'studio';

/** Everything the webview draws beside the rows. */
export interface ReviewStatus {
  readonly revision: number;
  readonly runId: string;
  readonly sides: SidePair;
  /** Of the place; of the `.pt`, its path. */
  readonly placeName: string;
  readonly requestedBy: string;
  /** Only where this is a restore. */
  readonly restore?: RestoredSide;
  readonly phase: 'deciding' | 'applying' | 'ended';
  readonly total: number;
  readonly undecided: number;
  /** Both sides are being compared again, because one of them moved: what is shown may be old. */
  readonly comparing: boolean;
  /** What Apply will do, in one sentence. */
  readonly summary: string;
  /** After the end: what happened, in one sentence. */
  readonly outcome: string | null;
}

/** Everything the webview draws. */
export interface ReviewSnapshot extends ReviewStatus {
  readonly rows: readonly ReviewRow[];
  /** Paths of instances that properties refer to, by id; only what is known. */
  readonly paths: Readonly<Record<string, string>>;
  /** What the rows do not speak of, because it could not be compared as it stands: one sentence each. */
  readonly warnings: readonly string[];
}

/** What has become of the run of a review that is not in this window. */
export interface ReviewOutcome {
  /** Another window has it open, or carries it out. */
  readonly isElsewhere: boolean;
  /** What happened, in one sentence, as far as it is recorded. */
  readonly outcome: string | null;
}

export type ToWebview =
  | { readonly kind: 'snapshot'; readonly snapshot: ReviewSnapshot }
  /** What differs from the state of revision `base`. A page that shows another revision says `ready` again. */
  | {
      readonly kind: 'delta';
      readonly base: number;
      readonly status: ReviewStatus;
      readonly rows: readonly RowDecision[];
    }
  /** The review that a restored page showed is not in this window. */
  | ({ readonly kind: 'gone' } & ReviewOutcome)
  | { readonly kind: 'failed'; readonly message: string };

/** Everything the webview may ask of the host. Strict: an unknown kind or key is refused. */
export const ReviewIntent = z.discriminatedUnion('kind', [
  /** `runId`: of the review that the page showed before it was restored. */
  z.strictObject({ kind: z.literal('ready'), runId: z.string().optional() }),
  /** The page has laid out the snapshot of `revision`: the signal that a person can see it. */
  z.strictObject({ kind: z.literal('rendered'), revision: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('choose'), ids: z.array(z.string()).min(1).max(100_000), choice: Choice }),
  z.strictObject({ kind: z.literal('openDiff'), id: z.string() }),
  /** Compare both sides again. */
  z.strictObject({ kind: z.literal('refresh') }),
  /** Begin a new review, where the shown one is gone: of that `.pt`, otherwise with Studio. */
  z.strictObject({ kind: z.literal('reviewAgain'), view: z.string().optional() }),
  z.strictObject({ kind: z.literal('apply'), revision: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('reject'), revision: z.int().nonnegative() }),
]);
export type ReviewIntent = z.infer<typeof ReviewIntent>;
