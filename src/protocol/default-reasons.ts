import { say, type Sentence } from '../base/sentence.ts';

/** A rule of the default selection. Its condition is in `sync/defaults.ts`. */
interface DefaultRule {
  /** The suggested direction; `null`: a person or an agent decides. Absent where the restored side decides. */
  readonly selection?: 'push' | 'pull' | 'merge' | null;
  /** The reason beside the suggestion, in a few words. */
  readonly brief: Sentence;
  /** The same as a sentence, for `Why This Suggestion?`. */
  readonly explanation: Sentence;
  /** The side that changed, where the rule knows it without a base. */
  readonly changed?: 'disk' | 'studio' | 'both';
}

/** All rules by their code. `docs/architecture.md` lists their conditions, in the order in which they are tried. */
export const defaultRules = {
  restored: {
    brief: say`the version from before the sync`,
    explanation: say`A restore is recorded in History, so it can be undone.`,
  },
  base_disk_moved: {
    selection: 'push',
    brief: say`only the file changed since the last sync`,
    explanation: say`Only disk has changed since, so push is suggested.`,
  },
  base_studio_moved: {
    selection: 'pull',
    brief: say`only Studio changed since the last sync`,
    explanation: say`Only Studio has changed since, so pull is suggested.`,
  },
  base_both_moved: {
    selection: null,
    brief: say`both sides changed since the last sync`,
    explanation: say`Both sides have changed since, so you need to choose.`,
  },
  base_never_compared: {
    selection: null,
    brief: say`a property was never compared before`,
    explanation: say`The last sync did not compare everything that differs now, so you need to choose.`,
  },
  base_merged: {
    selection: 'merge',
    brief: say`both sides changed, without conflicts`,
    explanation: say`Both sides have changed since, and the changes merge without conflicts.`,
  },
  base_studio_older: {
    selection: null,
    brief: say`Studio has a version from before the last sync`,
    explanation: say`Studio has a version from before the last sync, so you need to choose.`,
  },
  git_unchanged_on_disk: {
    selection: 'pull',
    brief: say`the file matches the last commit; only Studio changed`,
    explanation: say`The file matches the last commit, so the change was made in Studio: pull is suggested.`,
    changed: 'studio',
  },
  git_studio_has_known_version: {
    selection: 'push',
    brief: say`Studio has the committed version; only the file changed`,
    explanation: say`Studio has a committed version; only the file changed: push is suggested.`,
    changed: 'disk',
  },
  git_new_file: {
    selection: 'push',
    brief: say`the file is new on disk`,
    explanation: say`The file is new in git, so push is suggested.`,
    changed: 'disk',
  },
  git_both_moved: {
    selection: null,
    brief: say`both sides changed`,
    explanation: say`Both the file and Studio differ from the last commit, so you need to choose.`,
    changed: 'both',
  },
  git_tracked_file_not_in_studio: {
    selection: null,
    brief: say`the file is committed but missing in Studio`,
    explanation: say`The file is tracked in git, so it may have been deleted in Studio: you need to choose.`,
  },
  git_ignored_file: {
    selection: null,
    brief: say`git ignores the file`,
    explanation: say`Git ignores the file, so its history is unknown: you need to choose.`,
  },
  removal: {
    selection: null,
    brief: say`deletions are never suggested`,
    explanation: say`Deletions are never suggested, so you need to choose.`,
  },
  no_git: {
    selection: null,
    brief: say`the project is not in git`,
    explanation: say`The project is not in git, so its history is unknown: you need to choose.`,
  },
} as const satisfies Readonly<Record<string, DefaultRule>>;

export type DefaultReason = keyof typeof defaultRules;

/** The rule of a reason, with the fields that only some rules have. */
export const defaultRule = (reason: DefaultReason): DefaultRule => defaultRules[reason];

/** All codes. `Object.keys` does not have the type of the literal's keys. */
export const defaultReasons = Object.keys(defaultRules) as readonly DefaultReason[];
