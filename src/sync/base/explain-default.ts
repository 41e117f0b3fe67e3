import { inWords, say, type Sentence, type Translate } from '../../base/sentence.ts';
import type { DefaultReason, PatchType } from '../../protocol/sync.ts';
import type { ThreeSides, ThingMoved } from './three-sides.ts';

/** What the explanation rests on. */
export interface DefaultExplanation {
  readonly patchType: PatchType;
  readonly defaultReason: DefaultReason;
  readonly sides: ThreeSides;
}

const because: Readonly<Record<DefaultReason, Sentence>> = {
  restored: say`This is a restore: what was recorded is brought back.`,
  base_disk_moved: say`Only disk moved since, so disk is suggested (push).`,
  base_studio_moved: say`Only Studio moved since, so Studio is suggested (pull).`,
  base_both_moved: say`Both sides moved since, so nothing is suggested.`,
  git_unchanged_on_disk: say`The file is as git has it, so the difference was made in Studio: Studio is suggested (pull).`,
  git_studio_has_known_version: say`Studio holds a text that git knows of the file, so disk is suggested (push).`,
  git_new_file: say`The file is new for git, so disk is suggested (push).`,
  git_both_moved: say`The file differs from what git has, and Studio holds no text that git knows: nothing is suggested.`,
  git_tracked_file_not_in_studio: say`git knows the file already, so Studio may have removed it: nothing is suggested.`,
  git_ignored_file: say`git ignores the file and says nothing of it: nothing is suggested.`,
  removal: say`Whichever side wins, something is removed or comes back: that is never suggested.`,
  no_git: say`The project is not in git, so nothing is known: nothing is suggested.`,
};

/** Base, disk and Studio of one change, and what follows, in sentences. */
export function explainDefault({ patchType, defaultReason, sides }: DefaultExplanation, translate?: Translate): string {
  // What a restore compares is not the project, so of base and disk there is nothing to say.
  if (defaultReason === 'restored') return inWords(because.restored, translate);
  return [baseInWords(patchType, sides), ...sidesInWords(patchType, sides), because[defaultReason]]
    .map(sentence => inWords(sentence, translate))
    .join(' ');
}

function baseInWords(patchType: PatchType, { hasBase }: ThreeSides): Sentence {
  if (!hasBase) return say`Base: these two sides have not been seen to agree on it yet.`;
  return patchType === 'Add' || patchType === 'Remove'
    ? say`Base: both sides had it when they last agreed.`
    : say`Base: what both sides held when they last agreed is known.`;
}

function sidesInWords(patchType: PatchType, { hasBase, things, hasDraft }: ThreeSides): readonly Sentence[] {
  if (patchType === 'Add') return [say`Disk: has it.`, say`Studio: does not have it.`];
  if (patchType === 'Remove') return [say`Disk: does not have it.`, say`Studio: has it.`];
  const draft = hasDraft ? [say`Its editor holds text that is not saved.`] : [];
  if (!hasBase) return [say`Disk and Studio hold different values.`, ...draft];
  const names = (of: (thing: ThingMoved) => boolean): string =>
    things
      .filter(of)
      .map(thing => thing.name)
      .join(', ');
  const onDisk = names(thing => thing.isKnown && thing.onDisk);
  const inStudio = names(thing => thing.isKnown && thing.inStudio);
  const unknown = names(thing => !thing.isKnown);
  return [
    onDisk === '' ? say`Disk: as it was then.` : say`Disk: changed since (${onDisk}).`,
    inStudio === '' ? say`Studio: as it was then.` : say`Studio: changed since (${inStudio}).`,
    ...draft,
    ...(unknown === '' ? [] : [say`Never compared before: ${unknown}.`]),
  ];
}
