import type { RecordedResult } from '../../protocol/run-result.ts';
import { toReason } from '../../protocol/reason.ts';
import { formatSentence, say } from '../../base/sentence.ts';
import type { JournalEntry } from '../../ports/journal-store.ts';
import type { RecordedJournal } from './join-journals.ts';
import { recordedMoves } from './recorded-moves.ts';
import { recordedEffects, touchedSides } from './touched-sides.ts';
import { type PausableWork, runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { readJournalEnding, readJournalRecord } from '../../protocol/journal/read-record.ts';

/** Changes that are converted between two pauses. */
const BATCH_SIZE = 64;

/** The newest recorded runs, at most `limit`, followed by unreadable parts of the journal. */
export async function recordedRuns(
  journal: RecordedJournal,
  limit: number,
  slice: TimeSlice,
): Promise<readonly RecordedResult[]> {
  const runs: RecordedResult[] = [];
  for (const entry of await journal.list(limit)) runs.push(await runInSlices(toRecordedRun(entry), slice));
  const known = runs.flatMap(({ summary }) => summary);
  const damage = (await journal.damage()).filter(where => !known.some(summary => summary.includes(where)));
  return [...runs, ...damage.map(where => unreadableRun('unreadable', where))].slice(0, limit);
}

/** One recorded run; `undefined` if the journal does not have it. */
export async function recordedRun(
  journal: RecordedJournal,
  runId: string,
  slice: TimeSlice,
): Promise<RecordedResult | undefined> {
  const entry = await journal.find(runId);
  return entry && (await runInSlices(toRecordedRun(entry), slice));
}

const unreadableRun = (runId: string, where: string): RecordedResult => ({
  runId,
  at: new Date(0).toISOString(),
  requestedBy: 'unknown',
  mode: 'standard',
  place: { name: 'unknown', placeId: 0 },
  status: 'unreadable',
  summary: formatSentence(say`This record cannot be read: ${where}. The other records are not affected.`),
  changeCount: 0,
  changes: [],
});

function* toRecordedRun(entry: JournalEntry): PausableWork<RecordedResult> {
  const record = yield* readJournalRecord(entry.record);
  if (record === undefined) return unreadableRun(entry.runId, entry.damage ?? 'it has a different version');
  const ending = yield* readJournalEnding(entry.ending);
  const isEndUnreadable = entry.ending !== undefined && ending === undefined;
  const outcomes = new Map(ending?.outcomes.map(one => [one.id, one]));
  const sidesOf = touchedSides(record, recordedEffects(ending?.outcomes));
  const wasWritten = (one: string): boolean => outcomes.get(one)?.outcome === 'written';
  const { movedFrom, movedTo } = yield* recordedMoves(record, wasWritten);
  const changes: RecordedResult['changes'][number][] = [];
  for (const [index, item] of record.items.entries()) {
    if (index % BATCH_SIZE === 0) yield;
    const { id, path, name, className, patchType, choice, fsPath } = item;
    const known = outcomes.get(id);
    // A renamed instance is one change already, with all its files.
    const isFile = path === fsPath;
    const from = isFile ? movedFrom.get(path) : undefined;
    const to = isFile ? movedTo.get(path) : undefined;
    changes.push({
      id,
      path,
      ...(name === undefined ? {} : { name }),
      className,
      patchType,
      choice,
      fsPath,
      ...(from === undefined ? {} : { movedFrom: from }),
      ...(to === undefined ? {} : { movedTo: to }),
      sides: sidesOf(item),
      ...(known === undefined ? {} : { outcome: known.outcome }),
      ...(known?.reason === undefined ? {} : { reason: toReason(known.reason) }),
    });
  }
  return {
    runId: record.runId,
    at: record.at,
    ...(ending === undefined ? {} : { endedAt: ending.at }),
    requestedBy: record.requestedBy,
    mode: record.mode,
    place: record.place,
    ...(record.restoredSide === undefined ? {} : { restoredSide: record.restoredSide }),
    status: ending?.status ?? (isEndUnreadable ? 'unreadable' : entry.isRunning ? 'running' : 'interrupted'),
    summary:
      ending?.summary ??
      formatSentence(
        isEndUnreadable
          ? say`The end of this sync cannot be read: ${entry.damage ?? 'it has a different version'}. Both sides can be restored.`
          : entry.isRunning
            ? say`The sync is in progress.`
            : say`The sync was interrupted; Atlas Bridge checks it at the next start.`,
      ),
    ...(ending?.error === undefined ? {} : { error: ending.error }),
    changeCount: changes.length,
    changes,
  };
}
