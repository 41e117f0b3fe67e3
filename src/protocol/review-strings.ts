import type { ChangedSide, ReviewReason, SidePair } from './review.ts';
import type { ChangeOutcome, Choice, Direction, PatchType, Verdict } from './sync.ts';

/** What the host puts into the page as one JSON block: the texts for each pair of sides, of which a review shows one. */
export type ReviewPageStrings = Readonly<Record<SidePair, ReviewStrings>>;

/**
 * Every text of the review webview, in the language of the editor.
 * `{0}`, `{1}` stand for what the page fills in.
 */
export interface ReviewStrings {
  /** BCP 47, for the page's `lang`. */
  readonly locale: string;
  readonly title: string;
  readonly loading: string;
  /** `{0}` who asked; while it is decided, and from then on. */
  readonly requestedBy: string;
  readonly wasRequestedBy: string;
  readonly changesOne: string;
  /** `{0}` how many. */
  readonly changesMany: string;
  readonly undecidedOne: string;
  readonly undecidedMany: string;
  readonly allDecided: string;
  readonly warningsOne: string;
  readonly warningsMany: string;
  readonly tree: string;
  readonly columns: {
    readonly change: string;
    readonly suggestion: string;
    readonly outcome: string;
    readonly choice: string;
  };
  readonly kinds: Readonly<Record<PatchType, { readonly name: string; readonly explanation: string }>>;
  readonly choices: Readonly<Record<Choice, string>>;
  /** What a choice does to a change of that kind: tooltips, details. */
  readonly effects: Readonly<Record<PatchType, Readonly<Record<Choice, string>>>>;
  /** What bringing back does in a restore. */
  readonly restoreEffect: string;
  /** `{0}` the effect, `{1}` the key. */
  readonly choiceTooltip: string;
  /** `{0}` the path. */
  readonly choiceFor: string;
  /** `{0}` the path, `{1}` how many changes. */
  readonly choiceForGroup: string;
  /** What a choice does to a group; like `effects`. */
  readonly groupEffects: Readonly<Record<Choice, string>>;
  readonly undecided: string;
  readonly noDefault: string;
  readonly reasons: Readonly<Record<ReviewReason, string>>;
  /** What the agent's override wants. */
  readonly agentAsked: Readonly<Record<Direction, string>>;
  readonly verdicts: Readonly<Record<Verdict, { readonly name: string; readonly explanation: string }>>;
  /** A row whose choice came with another's; `{0}` that one's name or path. */
  readonly follows: string;
  readonly followsExplanation: string;
  readonly moved: string;
  readonly movedExplanation: string;
  /** A row that was chosen in an earlier window. */
  readonly kept: string;
  readonly keptExplanation: string;
  /** A row beside another one of the same path and another class; `{0}` the class in Studio, `{1}` the class on disk. */
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
    readonly moved: string;
    /** `{0}` of `{1}`. */
    readonly shown: string;
    readonly clear: string;
  };
  /** Where the page was restored and its review was not. */
  readonly gone: {
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
    /** Said after a bulk choice that left deletions out; `{0}` how many. */
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
    readonly suggestion: string;
    readonly agent: string;
    readonly agentAccept: string;
    /** `{0}` what accepting does. */
    readonly agentAcceptTooltip: string;
    readonly agentDecline: string;
    readonly agentDeclineTooltip: string;
    readonly effect: string;
    readonly side: string;
    /** The other one of the same path. */
    readonly replaces: string;
    readonly outcome: string;
    readonly openDiff: string;
    readonly openDiffTooltip: string;
    readonly properties: string;
    readonly property: string;
    readonly inStudio: string;
    readonly onDisk: string;
    readonly noValue: string;
    readonly moved: string;
    /** On a reference to an instance that has a row. */
    readonly showChange: string;
  };
  readonly apply: string;
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
  /** What became of a change. */
  readonly outcomes: Readonly<Record<ChangeOutcome, string>>;
}
