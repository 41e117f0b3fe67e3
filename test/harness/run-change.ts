import type { RunChange } from '../../src/sync/changes/run-change.ts';
import type { StudioChange } from '../../src/protocol/studio/stream.ts';

/** A change of a run, by default an edited script. */
export function runChange(
  studio: Partial<StudioChange> & { readonly id: string },
  rest: Partial<RunChange> = {},
): RunChange {
  return {
    studio: {
      patchType: 'Edit',
      path: `ServerScriptService/${studio.id}`,
      name: studio.id,
      className: 'Script',
      parentId: 'parent',
      sourceDiffers: true,
      ...studio,
    },
    disk: undefined,
    fsPath: null,
    diskHash: undefined,
    diskState: undefined,
    sides: { hasBase: false, parts: [], hasDraft: false, isOlderInStudio: false },
    defaultSelection: null,
    defaultReason: 'no_git',
    override: undefined,
    choice: null,
    reason: undefined,
    outcome: undefined,
    ...rest,
  };
}
