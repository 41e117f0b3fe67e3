import { AppError } from '../../base/errors.ts';
import type { Applied, AppliedItem, ApplyDecision, StudioInstance } from '../../protocol/studio/stream.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { RunChange } from '../changes/run-change.ts';

/** A change that is to be carried out, with Studio's side as it was read last. */
export interface Decision {
  readonly change: RunChange;
  readonly studio: StudioInstance | undefined;
}

export interface StudioStep {
  readonly link: StudioLink;
  readonly compareId: string;
  readonly runId: string;
  readonly reflection: Reflection;
  /** An answer that came after everybody had given up: the outcomes of the changes have been completed by it. */
  readonly late: () => void;
  readonly progress: (done: number, total: number) => void;
}

export function fail(change: RunChange, reason: string): void {
  change.outcome = 'failed';
  change.reason = reason;
}

/**
 * Lets Studio push and confirm; sets the outcome of every push, and of every pull that Studio did not confirm.
 *
 * @returns the pulls that Studio confirmed
 * @throws AppError STUDIO_DISCONNECTED, STUDIO_NOT_RESPONDING and others when something is not known; what is, stands in the changes
 */
export async function applyInStudio(
  decided: readonly Decision[],
  step: StudioStep,
  signal: AbortSignal,
): Promise<readonly RunChange[]> {
  const { link, compareId, runId } = step;
  const command = { compareId, runId, decisions: decided.map(decisionOf) };
  const results = new Map<string, AppliedItem>();
  let isLate = false;
  const onLate = (applied: Applied): void => {
    isLate = true;
    for (const item of applied.results) results.set(item.id, item);
    for (const { change } of decided) completeLate(change, results.get(change.studio.id));
    step.late();
  };
  try {
    for (const item of (await link.apply(command, signal, onLate, step.progress)).results) results.set(item.id, item);
  } catch (error) {
    const seen = AppError.is(error, 'STUDIO_NOT_RESPONDING')
      ? await verifyOnce(decided, step, signal)
      : new Set<RunChange>();
    for (const { change } of decided) {
      settleUnanswered(change, seen.has(change));
      // The answer may have come while Studio was looked at.
      if (isLate) completeLate(change, results.get(change.studio.id));
    }
    if (decided.every(({ change }) => change.outcome === 'applied')) return [];
    throw AppError.from(error);
  }
  const confirmed: RunChange[] = [];
  for (const { change } of decided) {
    const problem = problemOf(change, results.get(change.studio.id));
    if (problem !== undefined) fail(change, problem);
    else if (change.choice === 'push') change.outcome = 'applied';
    else confirmed.push(change);
  }
  return confirmed;
}

function decisionOf({ change, studio }: Decision): ApplyDecision {
  const expected = Object.entries(change.studio.properties ?? {}).flatMap(([name, { current }]) =>
    current === undefined ? [] : [[name, current] as const],
  );
  return {
    id: change.studio.id,
    direction: change.choice === 'push' ? 'push' : 'pull',
    ...(studio?.studioHash === undefined ? {} : { studioHash: studio.studioHash }),
    ...(expected.length === 0 ? {} : { expectedProperties: Object.fromEntries(expected) }),
  };
}

function settleUnanswered(change: RunChange, isSeen: boolean): void {
  if (isSeen) change.outcome = 'applied';
  else if (change.choice !== 'push') fail(change, 'not written, because Studio did not confirm its side');
  else {
    change.outcome = 'unknown';
    change.reason = 'Studio did not say whether it was applied; a dry run after reconnecting shows what it holds';
  }
}

/** Only pushes: a pull that was given up was not written, whatever Studio says of its side. */
function completeLate(change: RunChange, result: AppliedItem | undefined): void {
  if (change.choice !== 'push') return;
  const problem = problemOf(change, result);
  if (problem !== undefined) return fail(change, problem);
  change.outcome = 'applied';
  change.reason = undefined;
}

/** Why a change did not happen in Studio, or `undefined` when it is seen to have happened. */
function problemOf(change: RunChange, result: AppliedItem | undefined): string | undefined {
  if (result === undefined) return 'Studio reported no outcome for it';
  if (!result.ok) return result.reason ?? result.code ?? 'Studio could not do it';
  const mustHold = change.choice === 'push' && change.studio.patchType !== 'Remove' ? change.diskHash : undefined;
  if (mustHold !== undefined && result.studioHash !== mustHold)
    return 'Studio holds another text than the one that was pushed';
  return undefined;
}

/**
 * When the answer did not come, Studio is looked at once before it is said that nobody knows. It does one command after another, so
 * this look is behind the apply.
 *
 * @returns the pushes that are seen to have happened
 */
async function verifyOnce(
  decided: readonly Decision[],
  { link, compareId, reflection }: StudioStep,
  signal: AbortSignal,
): Promise<ReadonlySet<RunChange>> {
  const pushes = decided.flatMap(({ change }) =>
    change.choice === 'push' && change.studio.patchType !== 'Add' ? [change] : [],
  );
  try {
    const { instances, missing } = await link.read(
      compareId,
      pushes.map(change => change.studio.id),
      signal,
    );
    const byId = new Map(instances.map(instance => [instance.id, instance]));
    const isThere = (change: RunChange): boolean =>
      change.studio.patchType === 'Remove'
        ? missing.includes(change.studio.id)
        : holdsDisk(change, byId.get(change.studio.id), reflection);
    return new Set(pushes.filter(isThere));
  } catch {
    // No answer to this one either: it stays unknown, which the caller says with the signal that was missed first.
    return new Set();
  }
}

function holdsDisk(change: RunChange, studio: StudioInstance | undefined, reflection: Reflection): boolean {
  if (studio === undefined || (change.diskHash !== undefined && studio.studioHash !== change.diskHash)) return false;
  return Object.entries(change.studio.properties ?? {}).every(([name, { incoming }]) => {
    const current = variantFromWire(studio.properties[name]);
    const wanted = variantFromWire(incoming);
    const { className } = change.studio;
    return current.ok && wanted.ok && propertiesEqual(reflection, className, name, current.value, wanted.value);
  });
}
