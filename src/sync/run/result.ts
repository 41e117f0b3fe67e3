import type { AppError } from '../../base/errors.ts';
import { inWords } from '../../base/sentence.ts';
import type { OverrideVerdict, Place, SyncResult, SyncStatus } from '../../protocol/sync.ts';
import { toErrorBody } from '../../protocol/error-body.ts';
import { summarySentence } from '../../protocol/sync-summary.ts';
import type { Generations } from '../../protocol/acknowledgement.ts';
import { toSyncChange, type RunChange } from '../changes/run-change.ts';
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

/** An override that holds and decides nothing, because of what is decided for the parent, says so. */
function overridesOf({ overrides, changes }: ResultParts): OverrideVerdict[] {
  const withdrawn = new Map(changes.filter(({ choice }) => choice === null).map(one => [one.studio.id, one.reason]));
  return overrides.map(override => {
    const reason = override.verdict === 'accepted' ? withdrawn.get(override.id) : undefined;
    return reason === undefined ? override : { ...override, reason };
  });
}

export function toSyncResult(ending: Ending, parts: ResultParts): SyncResult {
  const result: SyncResult = {
    status: ending.status,
    summary: '',
    runId: parts.runId,
    ...acknowledge({ ...parts, status: ending.status }),
    ...(parts.place === undefined ? {} : { place: parts.place }),
    ...(parts.studio === undefined ? {} : { studio: parts.studio }),
    changes: parts.changes.map(toSyncChange),
    overrides: overridesOf(parts),
    ...(parts.warnings.length === 0 ? {} : { warnings: [...parts.warnings] }),
    ...(ending.error === undefined ? {} : { error: toErrorBody(ending.error) }),
  };
  return { ...result, summary: inWords(summarySentence(result, 'agent')) };
}
