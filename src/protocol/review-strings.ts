import type { ChangedSide, ReviewReason, SidePair } from './review.ts';
import type { Choice, Resolution } from './sync-request.ts';
import type { ChangeOutcome, PatchType, Verdict } from './sync-result.ts';

/** Which texts a review page uses: those for its pair of sides, or those for restoring one side of a recorded sync. */
export type ReviewTexts = SidePair | 'restoredDisk' | 'restoredStudio';

/** The texts of the review page, embedded in the page as one JSON block. */
export type ReviewPageStrings = Readonly<Record<ReviewTexts, ReviewStrings>>;

/**
 * Every text of the review page, in the language of the editor.
 * The page replaces the placeholders `{0}`, `{1}`.
 */
export interface ReviewStrings {
  /** BCP 47, for the page's `lang`. */
  readonly locale: string;
  readonly title: string;
  readonly loading: string;
  /** `{0}` the requester. `requestedBy` is shown while deciding, `wasRequestedBy` afterwards. */
  readonly requestedBy: string;
  readonly wasRequestedBy: string;
  readonly changesOne: string;
  /** `{0}` the count. */
  readonly changesMany: string;
  readonly undecidedOne: string;
  readonly undecidedMany: string;
  readonly allDecided: string;
  readonly warningsOne: string;
  readonly warningsMany: string;
  /** Properties that only Studio has. `propertiesMany`, `more`: `{0}` the count; `trackOne`: `{0}` the property, `{1}` the path of its instance. */
  readonly untracked: {
    readonly propertiesOne: string;
    readonly propertiesMany: string;
    readonly explanation: string;
    readonly studio: string;
    readonly default: string;
    readonly track: string;
    readonly trackOne: string;
    readonly more: string;
  };
  readonly tree: string;
  readonly columns: {
    readonly change: string;
    readonly suggestion: string;
    readonly outcome: string;
    readonly choice: string;
  };
  readonly kinds: Readonly<Record<PatchType, { readonly name: string; readonly explanation: string }>>;
  readonly choices: Readonly<Record<Choice, string>>;
  /** The effect of each choice on a change of that kind, for tooltips and details. */
  readonly effects: Readonly<Record<PatchType, Readonly<Record<Choice, string>>>>;
  /** `{0}` the effect, `{1}` the key. */
  readonly choiceTooltip: string;
  /** `{0}` the path. */
  readonly choiceFor: string;
  /** `{0}` the path, `{1}` the number of changes. */
  readonly choiceForGroup: string;
  /** The effect of each choice on a group. */
  readonly groupEffects: Readonly<Record<Exclude<Choice, 'merge'>, string>>;
  /** A person's merge. `hunks`: `{0}` hunks from Studio, `{1}` hunks; `undecidedHunks`: `{0}` decided hunks, `{1}` hunks. */
  readonly personMerges: { readonly text: string; readonly hunks: string; readonly undecidedHunks: string };
  readonly undecided: string;
  readonly noDefault: string;
  readonly reasons: Readonly<Record<ReviewReason, string>>;
  /** By the code of a `Reason`; `{0}` and the next are its arguments. */
  readonly why: Readonly<Record<string, string>>;
  /** The direction that the agent's override requests. */
  readonly agentAsked: Readonly<Record<Resolution, string>>;
  readonly verdicts: Readonly<Record<Verdict, { readonly name: string; readonly explanation: string }>>;
  /** A row that follows the choice of another row; `{0}` the name or path of that row. */
  readonly follows: string;
  readonly followsExplanation: string;
  readonly reopened: string;
  readonly reopenedExplanation: string;
  /** A row whose choice was restored after a reload. */
  readonly restored: string;
  readonly restoredExplanation: string;
  /** Two rows with one path and different classes; `{0}` the class in Studio, `{1}` the class on disk. */
  readonly replace: { readonly name: string; readonly explanation: string };
  readonly sides: Readonly<Record<ChangedSide, string>>;
  readonly refresh: string;
  readonly refreshTooltip: string;
  readonly comparing: string;
  readonly filter: {
    readonly text: string;
    readonly placeholder: string;
    readonly kind: string;
    readonly anyKind: string;
    readonly className: string;
    readonly anyClass: string;
    readonly side: string;
    readonly anySide: string;
    readonly decision: string;
    readonly anyDecision: string;
    readonly undecided: string;
    readonly reopened: string;
    /** `{0}` rows of `{1}`. */
    readonly shown: string;
    readonly clear: string;
    /** Shown instead of the list. */
    readonly nothing: string;
  };
  /** For a restored page whose review is not in this window. */
  readonly endedReview: {
    readonly title: string;
    readonly undecided: string;
    readonly decided: string;
    readonly unknown: string;
    readonly elsewhereTitle: string;
    readonly elsewhere: string;
    readonly again: string;
  };
  readonly bulk: {
    readonly label: string;
    readonly defaults: string;
    readonly defaultsTooltip: string;
    readonly push: string;
    readonly pushShown: string;
    readonly pushTooltip: string;
    readonly pull: string;
    readonly pullShown: string;
    readonly pullTooltip: string;
    readonly skip: string;
    readonly skipTooltip: string;
    /** Shown after a bulk choice that skipped deletions; `{0}` the count. */
    readonly deletionsLeftOne: string;
    readonly deletionsLeftMany: string;
  };
  readonly details: {
    readonly label: string;
    readonly empty: string;
    readonly resize: string;
    readonly kind: string;
    readonly file: string;
    readonly noFile: string;
    /** In place of a file: a project file describes the instance. */
    readonly inProjectFile: string;
    /** `{0}` the file or folder that a pull creates. */
    readonly newFile: string;
    /** `{0}` the name that a pull gives to the file or folder. */
    readonly renamedFile: string;
    readonly suggestion: string;
    readonly agent: string;
    readonly agentAccept: string;
    /** `{0}` the effect of accepting. */
    readonly agentAcceptTooltip: string;
    readonly agentDecline: string;
    readonly agentDeclineTooltip: string;
    readonly effect: string;
    readonly side: string;
    /** The other row with the same path. */
    readonly replaces: string;
    readonly outcome: string;
    readonly openDiff: string;
    readonly openDiffTooltip: string;
    readonly properties: string;
    readonly merge: string;
    /** `{0}` names of properties. */
    readonly mergeFromDisk: string;
    /** `{0}` names of properties. */
    readonly mergeFromStudio: string;
    /** Label of the instances below one that only Studio has. */
    readonly contains: string;
    readonly property: string;
    readonly inStudio: string;
    readonly onDisk: string;
    readonly noValue: string;
    readonly status: string;
    /** The tooltip of a reference to an instance that has a row. */
    readonly showChange: string;
  };
  readonly apply: string;
  /** The name of the part of the page with Apply and Reject. */
  readonly decision: string;
  readonly applyTooltip: string;
  /** Why Apply is disabled. */
  readonly applyBlockedOne: string;
  readonly applyBlockedMany: string;
  readonly nextUndecided: string;
  readonly reject: string;
  readonly rejectTooltip: string;
  readonly applying: string;
  readonly ended: string;
  readonly dismiss: string;
  /** The outcome of a change. */
  readonly outcomes: Readonly<Record<ChangeOutcome, string>>;
  /** The outcomes of changes that create or delete something, instead of those of `outcomes`. */
  readonly outcomesOfKind: Readonly<Partial<Record<PatchType, Partial<Record<ChangeOutcome, string>>>>>;
}
