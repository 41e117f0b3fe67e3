import { say, type Sentence } from '../base/sentence.ts';
import { writeReasons } from './write-reasons.ts';

/**
 * Why Studio did not do something, as our plugin reports it. The parameters are the arguments of a `Reason`, in the order of the sentence.
 * `studio-plugin/src/core/reasons.luau` has the same sentences, for bridges that do not read codes; a test compares them.
 */
export const studioReasons = {
  /** Words of Studio, of its engine, or of a plugin that sends text. */
  quoted: (text: string) => say`"${text}"`,
  no_such_change: () => say`no such change exists now`,
  studio_removed: () => say`the instance was removed from Studio since the comparison; sync again`,
  studio_no_script: () => say`Studio does not have the script`,
  studio_hash_now: (hash: string) => say`the hash in Studio is ${hash}`,
  value_now: (property: string, value: string) => say`${property} in Studio is now ${value}`,
  value_differs: (property: string) => say`${property} has a different value in Studio`,
  value_of_other_type: (why: Sentence, expected: string, actual: string) =>
    say`${why} (the expected value is a ${expected}, the property a ${actual})`,
  value_without_instance: (property: string) => say`Studio does not have the instance, so it has no ${property}`,
  expected_value_invalid: (property: string, problem: string) =>
    say`invalid expected value of ${property} (${problem})`,
  value_not_read: (property: string, problem: string) => say`Studio cannot read ${property} (${problem})`,
  value_not_set: (property: string, problem: string) => say`Studio cannot set ${property} (${problem})`,
  value_not_kept: (property: string) => say`${property} was set, but Studio has a different value`,
  target_not_in_studio: (property: string) => say`cannot set ${property}: its target is not in Studio`,
  source_already_written: (why: Sentence) => say`${why} (Source is already written)`,
  created_in_studio: (className: string) =>
    say`a ${className} with that name was created in Studio since the comparison`,
  other_with_name: () => say`Studio has a different instance with that name`,
  added_below: (path: string) => say`${path} was created in Studio in the meantime`,
  changed_below: (path: string) => say`the Source of ${path} changed in Studio in the meantime`,
  removed_below: (name: string) => say`${name} below it was removed from Studio in the meantime`,
  only_below: (path: string) => say`${path} exists only in Studio`,
  draft_open_in: (path: string) => say`${path} has unsaved edits in Studio; save or close it there, then sync again`,
  parent_not_in_studio: () => say`its parent is not in Studio; push the parent too`,
  not_created: (className: string, problem: string) => say`Studio cannot create a ${className} (${problem})`,
  not_removed: () => say`Studio did not remove it`,
  direction_unknown: (direction: string) => say`unknown direction ${direction}; update the Studio plugin`,
  cancelled_first: () => say`the sync was cancelled before this change was applied`,
  class_changed_on_disk: (className: string) => say`it is a ${className} on disk now; sync to replace it`,
  difference_undecided: (path: string) => say`${path} differs from disk, and you have not decided between them yet`,
  source_not_utf8: writeReasons.source_not_utf8,
  not_storable_of: (property: string, path: string, problem: string) =>
    say`${property} of ${path} cannot be stored in a file (${problem})`,
  created_in_studio_now: (name: string) => say`${name} was created in Studio`,
  removed_in_studio_now: (name: string) => say`${name} was removed in Studio`,
  renamed_in_studio_now: (name: string) => say`${name} was renamed in Studio`,
  moved_in_studio_now: (name: string) => say`${name} was moved in Studio`,
  created_but: (path: string, why: Sentence) => say`${path} was created in Studio, but ${why}`,
  renamed_but: (path: string, why: Sentence) => say`${path} was renamed in Studio, but ${why}`,
  name_not_utf8: () => say`its name is not valid UTF-8`,
  two_with_name: (name: string) => say`its parent has two children named ${name}`,
  too_large_for_live: () => say`it is too large for Live Sync`,
  also: (why: Sentence, other: Sentence) => say`${why}; ${other}`,
  and_more: (why: Sentence, count: number) => say`${why}; and ${count} more`,
};
