import { defaultRule } from '../../protocol/default-reasons.ts';
import type { ChangedSide } from '../../protocol/review.ts';
import { movementOf } from '../base/three-sides.ts';
import type { RunChange } from '../changes/run-change.ts';

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
    case 'never_compared':
    case 'unknown':
      // Both sides had it, and it was removed from disk.
      if (sides.hasBase && studio.patchType === 'Remove') return 'disk';
      // Without a base, git decides; a removal without a base could be from either side.
      return defaultRule(defaultReason).changed ?? 'unknown';
  }
}
