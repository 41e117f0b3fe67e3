import { formatSentence, say, type Sentence, type Translate } from '../../base/sentence.ts';
import type { DefaultReason, PatchType } from '../../protocol/sync.ts';
import type { ThreeSides, ThingMoved } from './three-sides.ts';

/** Input of the explanation. */
export interface DefaultExplanation {
  readonly patchType: PatchType;
  readonly defaultReason: DefaultReason;
  readonly sides: ThreeSides;
}

const because: Readonly<Record<DefaultReason, Sentence>> = {
  restored: say`Restores the recorded version.`,
  base_disk_moved: say`Only disk has changed since, so push is suggested.`,
  base_studio_moved: say`Only Studio has changed since, so pull is suggested.`,
  base_merged: say`Both sides have changed since, and the changes merge without conflicts.`,
  base_both_moved: say`Both sides have changed since, so you need to choose.`,
  base_studio_older: say`Studio has a version from before the last sync, so you need to choose.`,
  git_unchanged_on_disk: say`The file matches the last commit, so the change was made in Studio: pull is suggested.`,
  git_studio_has_known_version: say`Studio has a committed version; only the file changed: push is suggested.`,
  git_new_file: say`The file is new in Git, so push is suggested.`,
  git_both_moved: say`Both the file and Studio differ from the last commit, so you need to choose.`,
  git_tracked_file_not_in_studio: say`The file is tracked in Git, so it may have been deleted in Studio: you need to choose.`,
  git_ignored_file: say`Git ignores the file, so its history is unknown: you need to choose.`,
  removal: say`It exists on one side only. Deletions are never suggested.`,
  no_git: say`The project is not in Git, so its history is unknown: you need to choose.`,
};

/** Explains the default of one change: the base, both sides, and the rule that applied. */
export function explainDefault({ patchType, defaultReason, sides }: DefaultExplanation, translate?: Translate): string {
  // A restore does not compare the project, so base and disk say nothing about it.
  if (defaultReason === 'restored') return formatSentence(because.restored, translate);
  return [baseInWords(patchType, sides), ...sidesInWords(patchType, sides), because[defaultReason]]
    .map(sentence => formatSentence(sentence, translate))
    .join(' ');
}

function baseInWords(patchType: PatchType, { hasBase }: ThreeSides): Sentence {
  if (!hasBase) return say`No common version is known.`;
  return patchType === 'Add' || patchType === 'Remove'
    ? say`Both sides had it when they last matched.`
    : say`Both sides matched before.`;
}

function sidesInWords(patchType: PatchType, { hasBase, things, hasDraft }: ThreeSides): readonly Sentence[] {
  if (patchType === 'Add') return [say`Only on disk.`];
  if (patchType === 'Remove') return [say`Only in Studio.`];
  const draft = hasDraft ? [say`The script has unsaved edits in Studio.`] : [];
  if (!hasBase) return [say`Different on disk and in Studio.`, ...draft];
  const names = (of: (thing: ThingMoved) => boolean): string =>
    things
      .filter(of)
      .map(thing => thing.name)
      .join(', ');
  const onDisk = names(thing => thing.isKnown && thing.onDisk);
  const inStudio = names(thing => thing.isKnown && thing.inStudio);
  const unknown = names(thing => !thing.isKnown);
  return [
    onDisk === '' ? say`Disk: unchanged since.` : say`Disk: changed since (${onDisk}).`,
    inStudio === '' ? say`Studio: unchanged since.` : say`Studio: changed since (${inStudio}).`,
    ...draft,
    ...(unknown === '' ? [] : [say`Never compared before: ${unknown}.`]),
  ];
}
