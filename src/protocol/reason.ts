import * as z from 'zod';
import { formatSentence, plainSentence, say, type Sentence, type Translate } from '../base/sentence.ts';
import { failureReasons } from './failure-reasons.ts';
import { studioReasons } from './studio-reasons.ts';
import { writeReasons } from './write-reasons.ts';

/**
 * The reason why a change is undecided or did not happen. It is formatted once, where it is shown; nothing parses the text. The code is one
 * of `reasonSentences`, or unknown if another version wrote it.
 */
export interface Reason {
  readonly code: string;
  readonly args: readonly ReasonArg[];
}
type ReasonArg = string | number | Reason;

export const Reason: z.ZodType<Reason> = z.object({
  code: z.string(),
  args: z.array(z.union([z.string(), z.number(), z.lazy(() => Reason)])),
});

/** In a record of an older version, the reason is text. */
export const ReasonOrText = z.union([z.string(), Reason]);
export type ReasonOrText = z.infer<typeof ReasonOrText>;

/** All reasons. The parameters are the arguments, in the order of the sentence. */
export const reasonSentences = {
  ...writeReasons,
  ...studioReasons,
  ...failureReasons,
  /** The message of another failure, or a reason that an older version recorded as text. */
  failure: (message: string) => say`${message}`,
  no_verdict: () => say`Studio reported no verdict`,
  value_undecodable: (property: string, expected: string) => say`${property}: expected ${expected}`,
  value_not_reported: (property: string) => say`the plugin does not report the value of ${property} in Studio`,
  text_requires_merge: () => say`text requires the direction merge`,
  one_side_only: () => say`only one side has it`,
  merge_requires: (hashes: string) => say`a merge overwrites both sides: pass ${hashes}`,
  not_on_disk: () => say`disk does not have it`,
  disk_hash_now: (hash: string) => say`it changed on disk; its diskHash is now ${hash}`,
  disk_hash_since_seen: (hash: string) => say`it changed on disk since you saw it; its diskHash is now ${hash}`,
  no_subtree: () => say`the change has no subtree`,
  subtree_now: (count: number, hash: string) =>
    say`the instances below it changed in Studio; its subtree.count is now ${count} and its subtree.hash ${hash}`,
  overrides_off: () => say`atlas.overrides.approval is "never"`,
  pass_disk_hash: () => say`the override removes files: pass diskHash`,
  pass_disk_hash_of_pull: () => say`the override replaces what the files have: pass diskHash`,
  pass_subtree_hash: () => say`the override removes instances from Studio: pass subtreeHash`,
  pass_studio_hash: () => say`the override replaces or removes something: pass studioHash or expectedProperties`,
  pass_digest: () => say`it discards a source: pass the digest of that source`,
  source_changed: () => say`the source to discard has changed`,
  list_digest_now: (digest: string) => say`the list changed; its digest is now ${digest}`,
  parent_pulled_away: () => say`its parent is removed from disk by a pull, so it cannot be pushed`,
  parent_pulled: () => say`its parent is removed from disk by a pull, so it must be pulled too`,
  parent_only_in_studio: () => say`its parent exists only in Studio; pull the parent, which includes its children`,
  disk_changed: () => say`the files changed on disk since the comparison; check the change and decide it again`,
  script_changed: () => say`the script changed in Studio since the comparison; check the change and decide it again`,
  subtree_changed: () =>
    say`the instances below it changed in Studio since the comparison; check the change and decide it again`,
  text_damaged: (name: string) =>
    say`the text of ${name} was damaged on its way from Studio: it does not match its hash`,
  texts_too_large: (megabytes: number) =>
    say`one sync applies at most ${megabytes} MB of script texts, and the changes before this one reach that; sync again to continue`,
  too_many_pulls: (limit: number) =>
    say`the changes before this one reach the limit of ${limit} that one sync writes to files; sync again to continue`,
  studio_had_it: () => say`Studio already had the change`,
  live_ended_first: () => say`Live Sync ended before the change was sent`,
  not_planned: () => say`the write could not be planned`,
  record_not_pushable: () => say`files are restored from the record and cannot be pushed to it`,
  merge_not_on_disk: (why: Sentence) => say`Studio has the merge, but the files do not: ${why}`,
  merge_late: () => say`Studio has the merge, but it answered too late, so the files were not written`,
  pull_unconfirmed: () => say`not written: Studio did not confirm its side`,
  push_unconfirmed: () => say`Studio did not confirm the change; reconnect and run a dry run to see what Studio has`,
  merge_interrupted: () => say`Studio did not confirm the merge; the files were not written`,
  write_interrupted: () => say`not written: the sync was interrupted first`,
  changed_since_interruption: (paths: string) => say`not written: changed since the interruption: ${paths}`,
  not_applied: () => say`Studio could not apply the change`,
  other_text_in_studio: () => say`Studio has a different text than the one that was pushed`,
  still_differs: () => say`the plugin reported "success", but the two sides still differ`,
  equal_now: () => say`Studio changed: the two sides no longer differ`,
  properties_changed: () => say`its properties changed in Studio`,
  only_in_studio: (count: number) =>
    say`this plugin cannot skip instances that exist only in Studio (${count} found) when Atlas Bridge starts the sync; sync from the plugin's own window, or install the Atlas Bridge plugin`,
  only_in_studio_unread: () =>
    say`the plugin does not send instances that exist only in Studio; pull them from the plugin's own window, or install the Atlas Bridge plugin`,
  plugin_applied_nothing: () => say`Studio changed since the comparison, so the plugin applied nothing`,
  shares_file: (path: string, other: string) => say`${path} also contains ${other}, which could not be written`,
  disk_silent: () => say`not written: the disk stopped responding`,
  partly_written: (why: Sentence, paths: string) => say`${why} (already written: ${paths})`,
  reads_other_text: () => say`the file was written, but the project reads a different text from it than Studio has`,
  reads_other_value: (property: string) =>
    say`the file was written, but the project reads a different ${property} from it than Studio has`,
  draft_open: () => say`the script has unsaved edits in Studio`,
  save_draft: () => say`the script has unsaved edits in Studio; save them first`,
  texts_equal: () => say`the texts of both sides are equal`,
  no_merge_of: (properties: string) => say`no merge of ${properties}: both sides changed it`,
  text_unreadable: () => say`the text of a side cannot be read`,
  no_common_version: () => say`no common version of the script is known; pass text`,
  script_too_long: () => say`the script is too long; pass text`,
  same_lines: () => say`both sides changed the same lines; read get_merge and pass text`,
  merge_not_compiled: (problem: string) => say`the merge does not compile (${problem}); pass text`,
  merge_failed: () => say`the merge failed; pass text`,
  merge_too_slow: (seconds: number) => say`merging the script takes longer than ${seconds} s; pass text`,
  conflict_markers: () => say`text still has conflict markers`,
  text_not_compiled: (problem: string) => say`text does not compile: ${problem}`,
  plugin_without_merge: () => say`this Studio plugin cannot write merges; update the plugin`,
  too_many_studios: () => say`too many Studios are connected`,
  change_too_large: () => say`a change in Studio is larger than one message can be, so it was not written to files`,
  message_unreadable: () => say`a message from Studio could not be read; see the Atlas Bridge log`,
  merge_not_written: () => say`the merged text was not written`,
};

type Rows = typeof reasonSentences;
export type ReasonCode = keyof Rows;
type ArgsOf<P extends readonly unknown[]> = { readonly [K in keyof P]: P[K] extends Sentence ? Reason : P[K] };

/** Creates a reason of the catalog. */
export const reasonOf = <C extends ReasonCode>(code: C, ...args: ArgsOf<Parameters<Rows[C]>>): Reason => ({
  code,
  args: args as readonly ReasonArg[],
});

/** The reason of a record, also of an older version. */
export const toReason = (reason: ReasonOrText): Reason =>
  typeof reason === 'string' ? reasonOf('failure', reason) : reason;

/** The reason as a translatable sentence; only the code if another version wrote an unknown reason. */
export function reasonSentence({ code, args }: Reason): Sentence {
  if (!Object.hasOwn(reasonSentences, code)) return plainSentence(code);
  const row: (...values: never[]) => Sentence = reasonSentences[code as ReasonCode];
  return row(...(args.map(arg => (typeof arg === 'object' ? reasonSentence(arg) : arg)) as never[]));
}

/** The template of each reason by its code: `{0}` is the first argument. */
export const reasonTemplates = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(reasonSentences).map(code => [code, reasonSentence({ code, args: [0, 1, 2, 3] }).template]),
  );

/** Formats the reason. @param translate omitted: English, for agents, the command line and logs */
export const reasonText = (reason: Reason, translate?: Translate): string =>
  formatSentence(reasonSentence(reason), translate);
