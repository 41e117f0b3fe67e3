import { AppError } from '../../base/errors.ts';
import type { ReadResponse } from '../../protocol/studio/messages.ts';
import type { Compared } from '../../protocol/studio/stream.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import type { JournalItem, JournalRecord } from '../../protocol/journal/journal-record.ts';
import { readJournalEnding, readJournalRecord } from '../../protocol/journal/read-record.ts';
import { recordedEffects, touchedSides } from '../history/touched-sides.ts';
import type { RecordedJournal } from '../history/join-journals.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { PlannedWrite, RunChange } from '../changes/run-change.ts';
import type { RestoreRequest } from '../sync-engine.ts';

/** The result of a comparison with a record. `writes`: the files that are restored; Studio then takes no part. */
export interface RestoredComparison {
  readonly compared: Compared;
  readonly changes: readonly RunChange[];
  readonly writes?: readonly PlannedWrite[];
}

/** A recorded side, in the role of the tree or of Studio. */
export interface RestorePlan {
  /** Compares the record with the current state. Changes nothing. */
  compare(signal: AbortSignal, onProgress: (done: number, total: number) => void): Promise<RestoredComparison>;
  /** The recorded text of a change, where the record takes the place of disk. */
  recordedText?(change: RunChange): string | undefined;
  /** The Studio of the run; a record of files implements the same interface. */
  readonly link: StudioLink;
}

/** The tree that is compared instead of the project; it has its own ids. */
export interface RecordedTree {
  readonly rootId: string;
  readonly instances: ReadResponse['instances'];
}

export interface RecordedSide {
  /** With only those of its writes that were made for the items. */
  readonly record: JournalRecord;
  /** The items to restore. */
  readonly items: readonly JournalItem[];
}

const sideNames = { disk: 'on disk', studio: 'in Studio' } as const;

/** The changes of a record that changed the side to restore. @throws AppError UNKNOWN_OPERATION, INVALID_INPUT */
export async function recordedSide(
  request: RestoreRequest,
  journal: RecordedJournal,
  slice: TimeSlice,
): Promise<RecordedSide> {
  const entry = await journal.find(request.runId);
  if (entry === undefined) throw new AppError('UNKNOWN_OPERATION', { operationId: request.runId });
  const record = await runInSlices(readJournalRecord(entry.record), slice);
  if (record === undefined)
    throw new AppError('INVALID_INPUT', {
      problems: `the record of run ${request.runId} cannot be read (${entry.damage ?? 'it has a different version'})`,
    });
  const wanted = request.ids === undefined ? undefined : new Set(request.ids);
  const ending = await runInSlices(readJournalEnding(entry.ending), slice);
  const effects = recordedEffects(ending?.outcomes);
  const sidesOf = touchedSides(record, effects);
  const touched = record.items.filter(item => sidesOf(item).includes(request.side));
  const items = touched.filter(item => wanted === undefined || wanted.has(item.id));
  const known = new Set(items.map(item => item.id));
  const unknown = request.ids?.filter(id => !known.has(id)) ?? [];
  if (unknown.length > 0)
    throw new AppError('INVALID_INPUT', {
      problems: `run ${request.runId} changed nothing ${sideNames[request.side]} for ${unknown.join(', ')}`,
    });
  const writes = record.writes?.filter(({ ids, path }) =>
    ids.some(id => known.has(id) && effects.hasWritten(id, path)),
  );
  return { record: { ...record, ...(writes && { writes }) }, items };
}
