import type { ChangedSide } from '../../protocol/review.ts';
import type { DefaultReason } from '../../protocol/sync.ts';
import { movementOf } from '../base/three-sides.ts';
import type { RunChange } from '../changes/run-change.ts';

/** Without a base, git decides; a removal without a base could be from either side. */
const byGit: Readonly<Partial<Record<DefaultReason, ChangedSide>>> = {
  git_unchanged_on_disk: 'studio',
  git_studio_has_known_version: 'disk',
  git_new_file: 'disk',
  git_both_moved: 'both',
};

/** The side that changed since the last common version. */
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
      // Both sides had it, and it was removed from disk.
      if (sides.hasBase && studio.patchType === 'Remove') return 'disk';
      return byGit[defaultReason] ?? 'unknown';
  }
}
