import type { RestoredSide } from './review.ts';
import type { Choice } from './sync-request.ts';
import type { PatchType } from './sync-result.ts';

/** Whether the direction deletes something on the losing side. A person decides each deletion individually. */
export const isDeletion = (patchType: PatchType, direction: Choice | 'unresolved'): boolean =>
  (patchType === 'Remove' && direction === 'push') || (patchType === 'Add' && direction === 'pull');

/** The direction in which restoring a side carries changes: the recorded state of disk replaces the present one as a pull would. */
export const restoringDirection = (restored: RestoredSide): 'push' | 'pull' => (restored === 'disk' ? 'pull' : 'push');
