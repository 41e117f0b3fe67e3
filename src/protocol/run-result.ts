import type { RecordedChange, RecordedRun } from './history.ts';
import type { RestoredSide } from './review.ts';
import { formatSentence, type Sentence, type Translate } from '../base/sentence.ts';
import { type Reason, reasonText } from './reason.ts';
import type { BulkVerdict, ErrorBody, OverrideVerdict, SyncChange, SyncResult } from './sync-result.ts';

/** A value whose reason is not formatted yet. */
type Coded<T extends { reason?: unknown }> = Omit<T, 'reason'> & { readonly reason?: Reason | undefined };

export type ChangeResult = Coded<SyncChange>;
export type VerdictResult = Coded<OverrideVerdict>;
export type BulkResult = Coded<BulkVerdict>;

/** The result of a run within the process. Its summary is for agents. */
export interface RunResult extends Omit<SyncResult, 'changes' | 'overrides' | 'bulk' | 'warnings'> {
  readonly changes: readonly ChangeResult[];
  readonly overrides: readonly VerdictResult[];
  readonly bulk?: readonly BulkResult[];
  readonly warnings?: readonly Sentence[];
  /** The side that the run restored; absent for a sync. */
  readonly restoredSide?: RestoredSide;
}

/** The values with formatted reasons, for one reader. @param translate omitted: English */
export const formatReasons = <T extends { readonly reason?: Reason | undefined }>(
  values: readonly T[],
  translate?: Translate,
): (Omit<T, 'reason'> & { reason?: string })[] =>
  values.map(({ reason, ...rest }) => ({
    ...rest,
    ...(reason === undefined ? {} : { reason: reasonText(reason, translate) }),
  }));

/** The whole result with formatted reasons, for one reader. @param translate omitted: English */
export function formatResult(result: RunResult, translate?: Translate): SyncResult {
  const { changes, overrides, bulk, warnings, restoredSide: _, ...rest } = result;
  return {
    ...rest,
    changes: formatReasons(changes, translate),
    overrides: formatReasons(overrides, translate),
    ...(bulk === undefined ? {} : { bulk: formatReasons(bulk, translate) }),
    ...(warnings === undefined ? {} : { warnings: warnings.map(one => formatSentence(one, translate)) }),
  };
}

/** A recorded run whose reasons are not formatted yet. */
export interface RecordedResult extends Omit<RecordedRun, 'changes'> {
  /** The error that ended the run; the English summary includes it. */
  readonly error?: ErrorBody;
  readonly changes: readonly Coded<RecordedChange>[];
}

/** The recorded run with its reasons in English, for agents and the command line. */
export function formatRecordedRun(run: RecordedResult): RecordedRun {
  const { error: _, ...rest } = run;
  return { ...rest, changes: formatReasons(run.changes) };
}
