import type { Choice, PatchType } from './sync.ts';

/** Whether the direction deletes something on the losing side. A person decides each deletion individually. */
export const isDeletion = (patchType: PatchType, direction: Choice | 'unresolved'): boolean =>
  (patchType === 'Remove' && direction === 'push') || (patchType === 'Add' && direction === 'pull');
