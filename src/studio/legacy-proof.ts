import type { LegacyOverride } from '../protocol/studio/legacy-stream.ts';
import type { AppliedItem, ApplyDecision, StudioChange } from '../protocol/studio/stream.ts';
import { isScriptClass } from '../roblox/instances/instance.ts';

export const refuseAll = (decisions: readonly ApplyDecision[], reason: string): readonly AppliedItem[] =>
  decisions.map(({ id }): AppliedItem => ({ id, ok: false, code: 'engine', reason }));

/** A selection for every change of the comparison, so that the plugin has nothing to choose by itself. */
export function selectionFor(
  decisions: readonly ApplyDecision[],
  byId: ReadonlyMap<string, StudioChange>,
): readonly LegacyOverride[] {
  const decided = new Map(decisions.map(decision => [decision.id, decision]));
  return Array.from(byId.keys(), (id): LegacyOverride => {
    const decision = decided.get(id);
    if (decision === undefined) return { id, direction: 'ignore' };
    const { direction, studioHash, expectedProperties } = decision;
    return {
      id,
      direction,
      ...(studioHash !== undefined && { studioHash }),
      ...(expectedProperties !== undefined && { expectedProperties }),
    };
  });
}

/** A push happened when the two sides are found to be the same afterwards. */
export async function confirmPush(
  before: StudioChange,
  now: StudioChange | undefined,
  read: (id: string) => Promise<{ readonly studioHash: string }>,
): Promise<AppliedItem> {
  const { id } = before;
  if (now !== undefined)
    return { id, ok: false, code: 'engine', reason: 'the plugin said "success", but the two sides still differ' };
  if (!isScriptClass(before.className)) return { id, ok: true };
  const { studioHash } = await read(id);
  return { id, ok: true, studioHash };
}

/** A pull may be written when Studio still holds what was read of it. */
export function confirmPull(before: StudioChange, now: StudioChange | undefined): AppliedItem {
  const { id } = before;
  if (now === undefined)
    return { id, ok: false, code: 'stale_id', reason: 'Studio has moved: the two sides do not differ any more' };
  if (now.studioHash !== before.studioHash)
    return { id, ok: false, code: 'hash_mismatch', reason: 'the script changed in Studio' };
  const values = (change: StudioChange): string =>
    JSON.stringify(
      Object.entries(change.properties ?? {})
        .map(([name, { current }]) => [name, current] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  if (values(now) === values(before)) return { id, ok: true };
  return { id, ok: false, code: 'property_mismatch', reason: 'its properties changed in Studio' };
}
