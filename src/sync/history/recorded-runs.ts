import { formatSentence, say } from '../../base/sentence.ts';
import type { JournalEntry, JournalStore } from '../../ports/journal-store.ts';
import type { RecordedChange, RecordedRun } from '../../protocol/history.ts';
import { JournalEnding, JournalRecord } from '../../protocol/journal/journal-record.ts';

/** The newest recorded runs, at most `most`. Skips records of another version. */
export async function recordedRuns(journal: JournalStore, most: number): Promise<readonly RecordedRun[]> {
  return (await journal.list(most)).flatMap(entry => toRecordedRun(entry) ?? []);
}

export async function recordedRun(journal: JournalStore, runId: string): Promise<RecordedRun | undefined> {
  const entry = await journal.find(runId);
  return entry && toRecordedRun(entry);
}

function toRecordedRun(entry: JournalEntry): RecordedRun | undefined {
  const parsed = JournalRecord.safeParse(entry.record);
  if (!parsed.success) return undefined;
  const record = parsed.data;
  const ended = JournalEnding.safeParse(entry.ending);
  const ending = ended.success ? ended.data : undefined;
  const outcomes = new Map(ending?.outcomes.map(one => [one.id, one]));
  const changes = record.items.map(({ id, path, className, patchType, choice, fsPath }): RecordedChange => {
    const known = outcomes.get(id);
    return {
      id,
      path,
      className,
      patchType,
      choice,
      fsPath,
      ...(known === undefined ? {} : { outcome: known.outcome }),
      ...(known?.reason === undefined ? {} : { reason: known.reason }),
    };
  });
  return {
    runId: record.runId,
    at: record.at,
    ...(ending === undefined ? {} : { endedAt: ending.at }),
    requestedBy: record.requestedBy,
    mode: record.mode,
    place: record.place,
    status: ending?.status ?? (entry.isRunning ? 'running' : 'interrupted'),
    summary:
      ending?.summary ??
      formatSentence(
        entry.isRunning
          ? say`The sync is in progress.`
          : say`The sync was interrupted; Atlas Bridge checks it at the next start.`,
      ),
    changeCount: changes.length,
    changes,
  };
}
