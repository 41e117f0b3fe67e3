import type { Direction, SyncChange, SyncOverride, SyncResult } from '../../protocol/sync.ts';

export type Decisions = ReadonlyMap<string, Direction>;

/** What nobody has decided, in the order of the answer. */
export const conflictsOf = (result: SyncResult | undefined): readonly SyncChange[] =>
  result?.changes.filter(({ direction }) => direction === 'unresolved') ?? [];

/** Each decision with what the person saw, so that it does not count if Studio has moved since. */
export function overridesOf(conflicts: readonly SyncChange[], decisions: Decisions): readonly SyncOverride[] {
  return conflicts.flatMap(({ id, studioHash, properties }) => {
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
        ...(seen.length > 0 && { expectedProperties: Object.fromEntries(seen) }),
      },
    ];
  });
}
