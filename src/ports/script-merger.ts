/** A script as both sides last had it, and as each side has it now. */
export interface ScriptTexts {
  readonly base: string;
  readonly disk: string;
  readonly studio: string;
}

/** A place where both sides changed the same lines. */
export interface MergeConflict extends ScriptTexts {
  /** The line of `TextMerge.text` where its markers start, from 1. */
  readonly line: number;
}

export interface TextMerge {
  /** The merged text, with markers around each conflict. Lines end in `\n`. */
  readonly text: string;
  /** From top to bottom; empty if the merge is complete. */
  readonly conflicts: readonly MergeConflict[];
}

/** The merge, and for a complete one the first error if it does not compile. */
export interface CheckedMerge extends TextMerge {
  readonly problem?: string | undefined;
}

/** Merges scripts and compiles the results, without running them and without blocking the event loop. */
export interface ScriptMerger {
  /** @throws WorkLimitError if the merge takes too long */
  merge(texts: ScriptTexts): Promise<CheckedMerge>;
  /** The first error of a Luau text; `undefined` if it compiles. @throws WorkLimitError if that takes too long */
  compileProblem(text: string): Promise<string | undefined>;
}
