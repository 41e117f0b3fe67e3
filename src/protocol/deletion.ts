import type { Choice, PatchType } from './sync.ts';

/** Whether the choice deletes something on the losing side. A person decides each deletion individually. */
export const isDeletion = (patchType: PatchType, choice: Choice): boolean =>
  (patchType === 'Remove' && choice === 'push') || (patchType === 'Add' && choice === 'pull');
