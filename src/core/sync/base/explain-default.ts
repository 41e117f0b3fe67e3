import type { DefaultReason, PatchType } from '../../../protocol/sync.ts';
import type { ThreeSides, ThingMoved } from './three-sides.ts';

/** What the explanation rests on. */
export interface Explained {
  readonly patchType: PatchType;
  readonly defaultReason: DefaultReason;
  readonly sides: ThreeSides;
}

const because: Readonly<Record<DefaultReason, string>> = {
  restored: 'This is a restore: what was recorded is brought back.',
  base_disk_moved: 'Only disk moved since, so disk is suggested (push).',
  base_studio_moved: 'Only Studio moved since, so Studio is suggested (pull).',
  base_both_moved: 'Both sides moved since, so nothing is suggested.',
  git_unchanged_on_disk: 'The file is as git has it, so the difference was made in Studio: Studio is suggested (pull).',
  git_studio_has_known_version: 'Studio holds a text that git knows of the file, so disk is suggested (push).',
  git_new_file: 'The file is new for git, so disk is suggested (push).',
  git_both_moved: 'The file differs from what git has, and Studio holds no text that git knows: nothing is suggested.',
  git_tracked_file_not_in_studio: 'git knows the file already, so Studio may have removed it: nothing is suggested.',
  git_ignored_file: 'git ignores the file and says nothing of it: nothing is suggested.',
  removal: 'Whichever side wins, something is removed or comes back: that is never suggested.',
  no_git: 'The project is not in git, so nothing is known: nothing is suggested.',
};

/** Base, disk and Studio of one change, and what follows, in sentences. */
export function explainDefault({ patchType, defaultReason, sides }: Explained): string {
  return [baseInWords(patchType, sides), ...sidesInWords(patchType, sides), because[defaultReason]].join(' ');
}

function baseInWords(patchType: PatchType, { hasBase }: ThreeSides): string {
  if (!hasBase) return 'Base: these two sides have not been seen to agree on it yet.';
  return patchType === 'Add' || patchType === 'Remove'
    ? 'Base: both sides had it when they last agreed.'
    : 'Base: what both sides held when they last agreed is known.';
}

function sidesInWords(patchType: PatchType, { hasBase, things, hasDraft }: ThreeSides): readonly string[] {
  if (patchType === 'Add') return ['Disk: has it.', 'Studio: does not have it.'];
  if (patchType === 'Remove') return ['Disk: does not have it.', 'Studio: has it.'];
  const draft = hasDraft ? ' Its editor holds text that is not saved.' : '';
  if (!hasBase) return [`Disk and Studio: hold different values.${draft}`];
  const names = (of: (thing: ThingMoved) => boolean): string =>
    things
      .filter(of)
      .map(thing => thing.name)
      .join(', ');
  const side = (moved: string): string => (moved === '' ? 'as it was then.' : `changed since (${moved}).`);
  const unknown = names(thing => !thing.isKnown);
  return [
    `Disk: ${side(names(thing => thing.isKnown && thing.onDisk))}`,
    `Studio: ${side(names(thing => thing.isKnown && thing.inStudio))}${draft}`,
    ...(unknown === '' ? [] : [`Never compared before: ${unknown}.`]),
  ];
}
