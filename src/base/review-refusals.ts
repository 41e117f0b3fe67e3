import { plural } from './plural.ts';
import { plainSentence, say, type Sentence } from './sentence.ts';

/** Why a review refuses a decision. The parameters are the arguments of a `ReviewRefusal`. */
const sentences = {
  no_such_change: (id: string) => say`this review has no change ${id}`,
  no_such_hunk: () => say`the diff has no such hunk`,
  already_decided: () => say`this review is already decided`,
  review_changed: () => say`the review changed while you were deciding; check it and choose again`,
  comparing: () => say`a new comparison is in progress; check its result, then apply`,
  undecided: (count: number) =>
    plural(count, say`1 change is still undecided`, say`${count} changes are still undecided`),
  restore_only: () => say`a restore can only restore or skip a change`,
  restored_without_studio: () => say`files are restored without Studio`,
  no_complete_merge: () => say`this change has no complete merge; open its diff to merge it`,
  script_changed: () => say`the script changed since the diff was opened; open the diff again`,
  conflicts_left: () => say`the merge was closed with unresolved conflicts`,
  side_changed: () => say`a side changed since; review the current text`,
  file_unsaved: () => say`the file has unsaved changes; save it to include them in the review`,
  nothing_to_merge: () => say`only one side has a text, so there is nothing to merge`,
  plugin_without_merge: () =>
    say`this Studio plugin cannot write merges; update the plugin, or merge in the file itself`,
  file_changed: () => say`the file changed on disk since the comparison; open the diff again`,
  studio_script_changed: () => say`the script changed in Studio since the comparison; open the diff again`,
};

type Sentences = typeof sentences;
export type ReviewRefusalCode = keyof Sentences;

/** A reason of the catalog, in the form in which errors contain it. */
export interface ReviewRefusal {
  readonly code: ReviewRefusalCode;
  readonly args: readonly (string | number)[];
}

export type ReviewRefusalArgs<C extends ReviewRefusalCode> = Parameters<Sentences[C]>;

/** The reason as a translatable sentence. Errors of other versions have unknown codes, or a text. */
export function refusalSentence(reason: ReviewRefusal | string): Sentence {
  if (typeof reason === 'string') return plainSentence(reason);
  const { code, args } = reason;
  if (!Object.hasOwn(sentences, code)) return plainSentence(code);
  const row: (...values: never[]) => Sentence = sentences[code];
  return row(...(args as never[]));
}
