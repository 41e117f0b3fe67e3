import type { Direction, SyncOverride } from '../../protocol/sync-request.ts';
import type { SyncChange, SyncResult } from '../../protocol/sync-result.ts';

export type Decisions = ReadonlyMap<string, Direction>;

/** The undecided changes, in the order of the result. */
export const conflictsOf = (result: SyncResult | undefined): readonly SyncChange[] =>
  result?.changes.filter(({ direction }) => direction === 'unresolved') ?? [];

/** Turns decisions into overrides. Each includes the values that the user saw, so that it is rejected if Studio has changed since. */
export function overridesOf(conflicts: readonly SyncChange[], decisions: Decisions): readonly SyncOverride[] {
  return conflicts.flatMap(({ id, studioHash, diskHash, subtree, properties }) => {
    const direction = decisions.get(id);
    if (direction === undefined) return [];
    const seen = Object.entries(properties ?? {}).flatMap(([name, { current }]) =>
      current === undefined || name === 'Source' ? [] : [[name, current] as const],
    );
    return [
      {
        id,
        direction,
        ...(studioHash !== undefined && { studioHash }),
        ...(diskHash !== undefined && { diskHash }),
        ...(subtree !== undefined && { subtreeHash: subtree.hash }),
        ...(seen.length > 0 && { expectedProperties: Object.fromEntries(seen) }),
      },
    ];
  });
}
