/**
 * Messages between the extension and the review webview. A snapshot is complete, a delta names the revision that it updates, and an intent
 * names the revision that the user saw. The webview imports types only.
 */
import * as z from 'zod';
import type { DefaultReason } from './default-reasons.ts';
import type { NamedPath } from './path-name.ts';
import type { Reason } from './reason.ts';
import { Choice, Direction, type Resolution } from './sync-request.ts';
import type {
  ChangeOutcome,
  MergePreview,
  PatchType,
  PropertyChange,
  Subtree,
  UntrackedProperty,
  Verdict,
} from './sync-result.ts';

/**
 * The two sides of a review. `pluto`: the `.pt` file takes the role of disk, and its `.pluto` file takes the role of Studio. Push therefore
 * overwrites the `.pluto` file, and pull overwrites the `.pt` file.
 */
export type SidePair = 'studio' | 'pluto';

/** The side on which something changed. */
export type ChangedSide = 'disk' | 'studio' | 'both' | 'unknown';

/** `no_base`: no common base is recorded. */
export type ReviewReason = DefaultReason | 'no_base';

/** How a person merges the two texts of a change. */
export const PersonMerge = z.strictObject({
  /** The merged text, with `\n` as line ends; null while a hunk is undecided. */
  text: z.string().nullable(),
  /** The side that each hunk is taken from, null = undecided; null for a text from the merge editor. */
  hunks: z.array(Direction.nullable()).readonly().nullable(),
});
export type PersonMerge = z.infer<typeof PersonMerge>;

/** A decision as it is saved while a review is open. `choice` is null while only some hunks are decided. */
export interface SavedDecision {
  readonly choice: Choice | null;
  readonly merge?: PersonMerge | undefined;
}
export const SavedDecision: z.ZodType<SavedDecision> = z.union([
  // The form of versions that saved choices alone.
  Choice.transform((choice): SavedDecision => ({ choice })),
  z.strictObject({ choice: Choice.nullable(), merge: PersonMerge.optional() }),
]);

/** A person's merge as a row shows it. */
export interface PersonMergeSummary {
  /** Whether the merge can be applied: no hunk is undecided. */
  readonly isComplete: boolean;
  /** Counts of hunks; null for a text from the merge editor. */
  readonly hunks: { readonly total: number; readonly decided: number; readonly fromStudio: number } | null;
}

/** One change as the review shows it. */
export interface ReviewRow extends NamedPath {
  readonly id: string;
  readonly className: string;
  readonly patchType: PatchType;
  readonly fsPath: string | null;
  /** The file or folder that a pull would create. */
  readonly newFile?: string;
  /** Whether `openDiff` has two texts to show. */
  readonly hasSource: boolean;
  readonly properties: Readonly<Record<string, PropertyChange>>;
  /** The instances that a removal from Studio includes; `listed`: paths of the first 50 descendants, with classes. */
  readonly subtree?: Omit<Subtree, 'hash'> & { readonly listed: readonly string[] };
  readonly defaultSelection: Resolution | null;
  /** The effect of the suggested merge; absent if nothing can be merged without a person. */
  readonly merge?: MergePreview;
  /** The merge that the person made of both texts; null if there is none. `merge` then writes it. */
  readonly personMerge: PersonMergeSummary | null;
  readonly defaultReason: ReviewReason;
  /** The side that changed since the common base, according to the base and git. */
  readonly side: ChangedSide;
  /** Explains the suggestion: base, disk and Studio, in full sentences. */
  readonly explanation: string;
  /** The agent's request and its verdict. */
  readonly override: { readonly direction: Resolution; readonly verdict: Verdict } | null;
  /** The current choice; null = undecided. */
  readonly choice: Choice | null;
  /** The change whose choice this one follows; null = it was chosen directly. */
  readonly follows: string | null;
  /** A side changed while the review was open, so the change must be decided again. */
  readonly isReopened: boolean;
  /** The choice was restored after the window was closed or reloaded; both sides are unchanged since. */
  readonly isRestored: boolean;
  /** The outcome, after the review has ended. */
  readonly outcome: ChangeOutcome | null;
  /** Why a requested change is undecided, or why it failed. */
  readonly reason: Reason | null;
  /** Names of enum items, whose values in `properties` are numbers; by property and side. */
  readonly enumNames?: Readonly<Record<string, Partial<Record<keyof PropertyChange, string>>>>;
}

/** The fields of a row that a choice changes. */
export type RowDecision = Pick<
  ReviewRow,
  'id' | 'choice' | 'personMerge' | 'follows' | 'isReopened' | 'isRestored' | 'reason'
>;

/** The side that a restore writes. The recorded version takes the role of the other side. */
export type RestoredSide = 'disk' | 'studio';

/** Everything that the page shows, except the rows. */
export interface ReviewStatus {
  readonly revision: number;
  readonly runId: string;
  readonly sides: SidePair;
  /** The name of the place, or the path of the `.pt` file. */
  readonly placeName: string;
  readonly requestedBy: string;
  /** Set if the review is about a restore. */
  readonly restore?: RestoredSide;
  readonly phase: 'deciding' | 'applying' | 'ended';
  readonly total: number;
  readonly undecided: number;
  /** A side changed and both are being compared again, so the shown rows may be outdated. */
  readonly comparing: boolean;
  /** The effect of Apply, in one sentence. */
  readonly summary: string;
  /** The outcome in one sentence, after the review has ended. */
  readonly outcome: string | null;
}

/** Properties that only Studio has: no file names them, so they are not compared. `properties`: the first ones, `count`: all of them. */
export interface UntrackedList {
  readonly count: number;
  readonly properties: readonly UntrackedRow[];
}
export interface UntrackedRow extends UntrackedProperty, Omit<NamedPath, 'path'> {
  /** The names of enum items. */
  readonly studioName?: string;
  readonly defaultName?: string;
}

/** Everything that the page shows. */
export interface ReviewSnapshot extends ReviewStatus {
  readonly rows: readonly ReviewRow[];
  /** Known paths of the instances that properties refer to, by id. */
  readonly paths: Readonly<Record<string, string>>;
  /** Items that could not be fully compared, one sentence each. */
  readonly warnings: readonly string[];
  /** Absent while unknown, and if Studio cannot find out. */
  readonly untracked?: UntrackedList;
}

/** The state of a run whose review is not in this window. */
export interface ReviewOutcome {
  /** Another window is reviewing or applying it. */
  readonly isElsewhere: boolean;
  /** The outcome in one sentence; null if nothing is recorded. */
  readonly outcome: string | null;
}

export type ToWebview =
  | { readonly kind: 'snapshot'; readonly snapshot: ReviewSnapshot }
  /** The differences to revision `base`. A page at another revision sends `ready` again to get a snapshot. */
  | {
      readonly kind: 'delta';
      readonly base: number;
      readonly status: ReviewStatus;
      readonly rows: readonly RowDecision[];
    }
  /** The review of a restored page is not in this window. */
  | ({ readonly kind: 'ended' } & ReviewOutcome)
  | { readonly kind: 'failed'; readonly message: string };

/** Requests from the page. Unknown kinds and keys are rejected. */
export const ReviewIntent = z.discriminatedUnion('kind', [
  /** The page has loaded. `runId`: the review that it showed before it was restored. */
  z.strictObject({ kind: z.literal('ready'), runId: z.string().optional() }),
  /** The page has laid out the snapshot of `revision`, so the user can see it. */
  z.strictObject({ kind: z.literal('rendered'), revision: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('choose'), ids: z.array(z.string()).min(1).max(100_000), choice: Choice }),
  z.strictObject({ kind: z.literal('openDiff'), id: z.string() }),
  /** Compare an untracked property too, and pull it. */
  z.strictObject({ kind: z.literal('track'), id: z.string(), property: z.string() }),
  /** Compare both sides again. */
  z.strictObject({ kind: z.literal('refresh') }),
  /** Start a new review after the shown one has ended: of the `.pt` file `view`, or with Studio. */
  z.strictObject({ kind: z.literal('reviewAgain'), view: z.string().optional() }),
  z.strictObject({ kind: z.literal('apply'), revision: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('reject'), revision: z.int().nonnegative() }),
]);
export type ReviewIntent = z.infer<typeof ReviewIntent>;
