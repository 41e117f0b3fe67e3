import type { AppError } from '../../../base/errors.ts';
import type { OverrideVerdict, Place, SyncResult, SyncStatus } from '../../../protocol/sync.ts';
import { toErrorBody } from '../../../protocol/error-body.ts';
import type { Generations } from '../../../protocol/acknowledgement.ts';
import { isNotDone, toSyncChange, type RunChange } from '../changes/run-change.ts';
import { acknowledge } from './acknowledge.ts';

/** How a run ended, before it is put into words. */
export interface Ending {
  readonly status: SyncStatus;
  readonly error?: AppError;
}

export interface ResultParts {
  readonly runId: string;
  readonly place: Place | undefined;
  readonly studio: string | undefined;
  readonly changes: readonly RunChange[];
  readonly overrides: readonly OverrideVerdict[];
  readonly warnings: readonly string[];
  /** Whether something was told to change. */
  readonly hasBegun: boolean;
  readonly at: Generations | undefined;
  readonly elapsedMs: number;
}

export function toSyncResult(ending: Ending, parts: ResultParts): SyncResult {
  return {
    status: ending.status,
    summary: summarize(ending, parts),
    runId: parts.runId,
    ...acknowledge({ ...parts, status: ending.status }),
    ...(parts.place === undefined ? {} : { place: parts.place }),
    ...(parts.studio === undefined ? {} : { studio: parts.studio }),
    changes: parts.changes.map(toSyncChange),
    overrides: [...parts.overrides],
    ...(parts.warnings.length === 0 ? {} : { warnings: [...parts.warnings] }),
    ...(ending.error === undefined ? {} : { error: toErrorBody(ending.error) }),
  };
}

const count = (list: readonly RunChange[], matches: (change: RunChange) => boolean): number =>
  list.filter(matches).length;
const changesIn = (n: number): string => `${n} ${n === 1 ? 'change' : 'changes'}`;

/** What happened and what to do next, complete by itself: some clients show the model nothing else. */
function summarize(ending: Ending, parts: ResultParts): string {
  const unused = parts.overrides.filter(override => override.verdict !== 'accepted');
  const note =
    unused.length === 0
      ? ''
      : ` Overrides that were not used: ${unused.map(o => `${o.id} (${o.verdict}${o.reason === undefined ? '' : `: ${o.reason}`})`).join('; ')}.`;
  return `${sentence(ending, parts)}${note}`;
}

function sentence({ status, error }: Ending, { changes, place, runId }: ResultParts): string {
  const where = place?.name ?? 'Studio';
  const pushed = count(changes, change => change.outcome === 'applied');
  const written = count(changes, change => change.outcome === 'written');
  const skipped = count(changes, change => change.outcome === 'skipped');
  const failed = count(changes, isNotDone);
  const unknown = count(changes, change => change.outcome === 'unknown');
  const undecided = count(changes, change => change.choice === null);
  const done = `${pushed} pushed to ${where}, ${written} written to disk, ${skipped} skipped`;
  switch (status) {
    case 'success':
      return `Sync completed successfully: ${done}.`;
    case 'empty':
      return `No changes to sync: disk and ${where} hold the same.`;
    case 'dryrun':
      return `Dry run complete: ${changesIn(changes.length)}, ${undecided} undecided. Nothing was changed.`;
    case 'review_pending':
      return `A person is still deciding in VS Code. Go on with operation_wait and operationId "${runId}".`;
    case 'partial':
      return `The sync was only partly done: ${done}, ${failed - unknown} failed${unknown === 0 ? '' : `, ${unknown} not known`}. Each failed change says why; nothing of it was overwritten unseen.`;
    case 'rejected':
      return 'A person rejected the changes. Nothing was changed.';
    case 'fastfail_unresolved':
      return `${undecided} of ${changesIn(changes.length)} ${undecided === 1 ? 'is' : 'are'} undecided, so nothing was changed. Decide each with an override (id, direction, studioHash), or use mode "standard" to ask a person.`;
    case 'review_timeout':
      return 'Nobody decided in time, so nothing was changed. Ask the person, then sync again.';
    case 'cancelled':
      return 'The sync was cancelled. Nothing was changed.';
    case 'disconnected':
      return failed + pushed + written === 0
        ? `The link to Studio broke. Nothing was changed.`
        : `The link to Studio broke: ${done}, ${failed} not known or not done. Each change says what is known; a dry run after reconnecting shows the rest.`;
    case 'not_connected':
    case 'sync_in_progress':
    case 'error':
      return error === undefined ? 'The sync failed.' : `${error.message} ${error.hint}`;
  }
}
