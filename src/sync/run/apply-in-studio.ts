import { type Reason, reasonOf } from '../../protocol/reason.ts';
import { AppError } from '../../base/errors.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Applied, AppliedItem, ApplyDecision } from '../../protocol/studio/stream.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { fail, hashAfter, noteRefusal, type PlannedChange, type RunChange, settle } from '../changes/run-change.ts';
import { verifyPushes } from './verify.ts';

export interface StudioStep {
  readonly link: StudioLink;
  readonly compareId: string;
  readonly runId: string;
  readonly reflection: Reflection;
  /** Called for an answer after the time limit, when the outcomes of the changes are complete. */
  readonly late: () => void;
  readonly clock: Clock;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Applies the pushes in Studio and lets Studio confirm the pulls. Sets the outcome of every push, and of every pull that Studio did not
 * confirm.
 *
 * @returns the pulls that Studio confirmed
 * @throws AppError STUDIO_DISCONNECTED, STUDIO_NOT_RESPONDING and others when an outcome is unknown; the changes have the known outcomes
 */
export async function applyInStudio(
  decided: readonly PlannedChange[],
  step: StudioStep,
  signal: AbortSignal,
): Promise<readonly RunChange[]> {
  const { link, compareId, runId, clock } = step;
  const decisions: ApplyDecision[] = [];
  const deciding = new TimeSlice(clock);
  for (const planned of decided) {
    await deciding.yieldToEventLoop();
    decisions.push(decisionOf(planned));
  }
  const command = { compareId, runId, decisions };
  const results = new Map<string, AppliedItem>();
  const onLate = (applied: Applied): void => {
    for (const item of applied.results) results.set(item.id, item);
    for (const { change } of decided) completeLate(change, results.get(change.studio.id));
    step.late();
  };
  try {
    for (const item of (await link.apply(command, signal, onLate, step.progress)).results) results.set(item.id, item);
  } catch (error) {
    const seen = AppError.is(error, 'STUDIO_NOT_RESPONDING')
      ? await verifyPushes(decided, step, signal)
      : new Set<RunChange>();
    for (const { change } of decided) {
      settleUnanswered(change, seen.has(change));
      // The answer may have arrived while Studio was read.
      completeLate(change, results.get(change.studio.id));
    }
    if (decided.every(({ change }) => change.outcome === 'applied')) return [];
    throw AppError.from(error);
  }
  const unanswered = decided.filter(({ change }) => !results.has(change.studio.id));
  const seen = unanswered.length === 0 ? new Set<RunChange>() : await verifyPushes(unanswered, step, signal);
  const confirmed: RunChange[] = [];
  const confirming = new TimeSlice(clock);
  for (const { change } of decided) {
    await confirming.yieldToEventLoop();
    const result = results.get(change.studio.id);
    const problem = result && problemOf(change, result);
    noteRefusal(change, result !== undefined && isRefused(result));
    if (result === undefined) settleUnanswered(change, seen.has(change));
    else if (problem !== undefined) fail(change, problem);
    else if (change.choice === 'push') settle(change, 'applied');
    // The files of a pull or merge are written now.
    else confirmed.push(change);
  }
  return confirmed;
}

function decisionOf({ change, studio }: PlannedChange): ApplyDecision {
  const expected = Object.entries(change.studio.properties ?? {}).flatMap(([name, { current }]) =>
    current === undefined ? [] : [[name, current] as const],
  );
  return {
    id: change.studio.id,
    direction: change.choice === 'pull' ? 'pull' : 'push',
    ...(studio?.studioHash === undefined ? {} : { studioHash: studio.studioHash }),
    ...(expected.length === 0 ? {} : { expectedProperties: Object.fromEntries(expected) }),
    ...(change.choice === 'merge' ? { merged: mergedOf(change) } : {}),
  };
}

function mergedOf({ merge }: RunChange): NonNullable<ApplyDecision['merged']> {
  return { ...(merge?.source === undefined ? {} : { source: merge.source.text }), values: merge?.toStudio ?? {} };
}

function settleUnanswered(change: RunChange, isSeen: boolean): void {
  if (isSeen && change.choice === 'merge') fail(change, onlyInStudio);
  else if (isSeen) settle(change, 'applied');
  else if (change.choice === 'pull') fail(change, reasonOf('pull_unconfirmed'));
  else settle(change, 'unknown', reasonOf('push_unconfirmed'));
}

/** A merge whose files were not written, because the run stopped waiting for Studio. */
const onlyInStudio = reasonOf('merge_late');

/** Pushes and merges only: a pull without confirmation was not written, whatever Studio answers. An answer may have results of only some. */
function completeLate(change: RunChange, result: AppliedItem | undefined): void {
  if (change.choice === 'pull' || result === undefined) return;
  const problem = problemOf(change, result);
  noteRefusal(change, isRefused(result));
  if (problem !== undefined) return fail(change, problem);
  if (change.choice === 'merge') fail(change, onlyInStudio);
  else settle(change, 'applied');
}

/** Whether Studio refused a change before it changed anything. */
const isRefused = ({ ok, unchanged }: AppliedItem): boolean => !ok && unchanged === true;

/** The reason why a change failed in Studio; `undefined` if it succeeded. */
function problemOf(change: RunChange, result: AppliedItem): Reason | undefined {
  if (!result.ok) return result.reason ?? { code: result.code ?? 'not_applied', args: [] };
  const mustHold = hashAfter(change);
  if (mustHold !== undefined && result.studioHash !== mustHold) return reasonOf('other_text_in_studio');
  return undefined;
}
