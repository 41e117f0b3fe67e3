import type { ChangedSide } from '../../protocol/review.ts';
import type { DefaultReason } from '../../protocol/sync.ts';
import { movementOf } from '../base/three-sides.ts';
import type { RunChange } from '../changes/run-change.ts';

/** Where there is no base, git's word counts; a removal without a base could have been made on either side. */
const byGit: Readonly<Partial<Record<DefaultReason, ChangedSide>>> = {
  git_unchanged_on_disk: 'studio',
  git_studio_has_known_version: 'disk',
  git_new_file: 'disk',
  git_both_moved: 'both',
};

/** The side on which the difference was made since both last agreed. */
export function changedSide({ studio, sides, defaultReason }: RunChange): ChangedSide {
  switch (movementOf(studio, sides)) {
    case 'disk_moved':
      return 'disk';
    case 'studio_moved':
    case 'removed_in_studio':
      return 'studio';
    case 'both_moved':
      return 'both';
    case 'unknown':
      // Both had it once, and disk has lost it.
      if (sides.hasBase && studio.patchType === 'Remove') return 'disk';
      return byGit[defaultReason] ?? 'unknown';
  }
}
