import type { BulkResult, ChangeResult, RunResult, VerdictResult } from '../../protocol/run-result.ts';
import type { RestoredSide } from '../../protocol/review.ts';
import { hasChangedStudio } from '../../protocol/sync-result.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { AppError } from '../../base/errors.ts';
import { formatSentence, type Sentence } from '../../base/sentence.ts';
import type { ChangeOutcome, Place, SyncStatus } from '../../protocol/sync-result.ts';
import { syncStatuses } from '../../protocol/sync-statuses.ts';
import { toErrorBody } from '../../protocol/error-body.ts';
import { summarySentence } from '../../protocol/sync-summary.ts';
import type { Acknowledgement, ActionOutcome, Evidence, Generations } from '../../protocol/acknowledgement.ts';
import { type EnumItemNames, toSyncChange, type RunChange } from '../changes/run-change.ts';

/** The ending of a run. */
export interface RunEnding {
  readonly status: SyncStatus;
  readonly error?: AppError;
}

export interface ResultParts {
  readonly runId: string;
  readonly place: Place | undefined;
  readonly studio: string | undefined;
  /** The side that the run restored; `undefined` for a sync. */
  readonly restoredSide?: RestoredSide | undefined;
  readonly changes: readonly RunChange[];
  readonly overrides: readonly VerdictResult[];
  readonly bulk?: readonly BulkResult[] | undefined;
  readonly warnings: readonly Sentence[];
  /** Number of untracked properties; 0 if there are none or they were not counted. */
  readonly untracked: number;
  /** Whether a command that changes something may have been sent. */
  readonly hasBegun: boolean;
  readonly at: Generations | undefined;
  readonly elapsedMs: number;
  readonly enumItem: EnumItemNames;
}

/** Adds the reason to an accepted override that decides nothing because of the decision for its parent. */
function overridesOf({ overrides, changes }: ResultParts): VerdictResult[] {
  if (overrides.length === 0) return [];
  const withdrawn = new Map<string, RunChange['reason']>();
  for (const { choice, studio, reason } of changes) if (choice === null) withdrawn.set(studio.id, reason);
  return overrides.map(override => {
    const reason = override.verdict === 'accepted' ? withdrawn.get(override.id) : undefined;
    return reason === undefined ? override : { ...override, reason };
  });
}

/** The result of a run with this ending. */
export function* toSyncResult(ending: RunEnding, parts: ResultParts): PausableWork<RunResult> {
  const changes: ChangeResult[] = [];
  for (const change of parts.changes) {
    changes.push(toSyncChange(change, parts.enumItem));
    yield;
  }
  const result: RunResult = {
    status: ending.status,
    summary: '',
    runId: parts.runId,
    ...acknowledge({ ...parts, status: ending.status }),
    ...(parts.place === undefined ? {} : { place: parts.place }),
    ...(parts.studio === undefined ? {} : { studio: parts.studio }),
    ...(parts.restoredSide === undefined ? {} : { restoredSide: parts.restoredSide }),
    changes,
    overrides: overridesOf(parts),
    ...(parts.bulk === undefined || parts.bulk.length === 0 ? {} : { bulk: [...parts.bulk] }),
    ...(parts.warnings.length === 0 ? {} : { warnings: [...parts.warnings] }),
    ...(parts.untracked === 0 ? {} : { untracked: parts.untracked }),
    ...(ending.error === undefined ? {} : { error: toErrorBody(ending.error) }),
  };
  return { ...result, summary: formatSentence(summarySentence(result, 'agent')) };
}

/** The known facts about a run when it ends. */
interface KnownResult {
  readonly status: SyncStatus;
  readonly changes: readonly RunChange[];
  readonly hasBegun: boolean;
  readonly at: Generations | undefined;
  readonly elapsedMs: number;
}

/** The outcome and the evidence of a run. */
export function acknowledge(known: KnownResult): Acknowledgement {
  const { at, elapsedMs } = known;
  const evidence = evidenceOf(known);
  return {
    outcome: outcomeOf(
      known.status,
      known.changes.map(change => change.outcome),
      known.hasBegun,
    ),
    ...(evidence === undefined ? {} : { evidence }),
    ...(at === undefined ? {} : { at }),
    elapsedMs: Math.round(elapsedMs),
  };
}

/** The outcome of a run with these outcomes of its changes. @param hasBegun whether a command that changes something may have been sent; a run that fails before that has changed nothing */
export function outcomeOf(
  status: SyncStatus,
  outcomes: readonly (ChangeOutcome | undefined)[],
  hasBegun: boolean,
): ActionOutcome {
  const { outcome } = syncStatuses[status];
  if (outcome !== 'of_changes') return outcome;
  if (outcomes.includes('unknown')) return 'unknown';
  return hasBegun || status === 'partial' ? 'failed' : 'refused';
}

/** Whether a pushed change wrote nothing but the text of a script, or removed the instance. */
function hasOnlyText({ diskHash, studio, disk }: RunChange): boolean {
  if (studio.patchType === 'Remove') return true;
  const written =
    studio.patchType === 'Add' ? Array.from(disk?.properties.keys() ?? []) : Object.keys(studio.properties ?? {});
  return diskHash !== undefined && written.every(name => name === 'Source');
}

function evidenceOf({ status, changes }: KnownResult): Evidence | undefined {
  const pushed = changes.filter(change => hasChangedStudio(change.outcome));
  const files = changes.filter(({ outcome }) => outcome === 'written' || outcome === 'merged').length;
  switch (status) {
    case 'dryrun':
    case 'empty':
    case 'fastfail_unresolved':
      return { kind: 'studio.compared', strength: 'reply' };
    case 'rejected':
      return { kind: 'person.rejected', strength: 'reply' };
    case 'success':
    case 'partial':
    case 'disconnected':
    case 'error': {
      if (status !== 'success' && pushed.length + files === 0) return undefined;
      // Pushed texts are verified by hash and files are read back; for other values, there is only the reply of Studio.
      const isVerified = pushed.every(hasOnlyText);
      return {
        kind: 'sides.verified',
        strength: isVerified ? 'verified' : 'reply',
        instances: pushed.length,
        files,
      };
    }
    default:
      return undefined;
  }
}
