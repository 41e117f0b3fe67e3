import { isScriptClass } from '../protocol/script-class.ts';
import { type Reason, reasonOf } from '../protocol/reason.ts';
import type { LegacyOverride } from '../protocol/studio/legacy-stream.ts';
import type { AppliedItem, ApplyDecision, StudioChange } from '../protocol/studio/stream.ts';

export const failAll = (decisions: readonly ApplyDecision[], reason: Reason): readonly AppliedItem[] =>
  decisions.map(({ id }): AppliedItem => ({ id, ok: false, code: 'engine', reason }));

/** As `failAll`, for decisions of which the plugin has applied nothing. */
export const refuseAll = (decisions: readonly ApplyDecision[], reason: Reason): readonly AppliedItem[] =>
  failAll(decisions, reason).map(item => ({ ...item, unchanged: true }));

/** Selects a direction for every change of the comparison, so that the plugin applies no defaults. */
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

/** Confirms a push if the two sides are equal afterwards. */
export async function confirmPush(
  before: StudioChange,
  now: StudioChange | undefined,
  read: (id: string) => Promise<{ readonly studioHash: string }>,
): Promise<AppliedItem> {
  const { id } = before;
  if (now !== undefined) return { id, ok: false, code: 'engine', reason: reasonOf('still_differs') };
  if (!isScriptClass(before.className)) return { id, ok: true };
  const { studioHash } = await read(id);
  return { id, ok: true, studioHash };
}

/** Confirms a pull if Studio has not changed since it was read. */
export function confirmPull(before: StudioChange, now: StudioChange | undefined): AppliedItem {
  const { id } = before;
  if (now === undefined) return { id, ok: false, code: 'stale_id', reason: reasonOf('equal_now') };
  if (now.studioHash !== before.studioHash)
    return { id, ok: false, code: 'hash_mismatch', reason: reasonOf('script_changed') };
  const values = (change: StudioChange): string =>
    JSON.stringify(
      Object.entries(change.properties ?? {})
        .map(([name, { current }]) => [name, current] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  if (values(now) === values(before)) return { id, ok: true };
  return { id, ok: false, code: 'property_mismatch', reason: reasonOf('properties_changed') };
}
