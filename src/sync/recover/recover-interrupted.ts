import { type Reason, reasonOf } from '../../protocol/reason.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { recordedReason } from '../../protocol/journal/recorded-reason.ts';
import { readJournalRecord } from '../../protocol/journal/read-record.ts';
import { AppError } from '../../base/errors.ts';
import { formatSentence, say, type Sentence } from '../../base/sentence.ts';
import { folderOf } from '../../base/project-path.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalEntry, JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import {
  JournalNote,
  type JournalRecord,
  type JournalEnding,
  type JournalItem,
  type JournalWrite,
} from '../../protocol/journal/journal-record.ts';
import { projectPathOf, writtenState, type WrittenState } from './written-state.ts';

export interface RecoverDeps {
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface InterruptedRun {
  readonly runId: string;
  /** An interrupted run, with a sentence about its recovery. */
  readonly sentence: Sentence;
}

/**
 * Recovers the runs that a crash interrupted, before anything else reads or writes the project. If some files were written, writes the
 * others as planned unless they have changed; if none was written, writes none. Keeps all changes since. Records an ending for each run in
 * the journal.
 *
 * @returns the interrupted runs, oldest first
 */
export async function recoverInterrupted(deps: RecoverDeps): Promise<readonly InterruptedRun[]> {
  const found: InterruptedRun[] = [];
  for (const entry of (await deps.journal.unfinished()).toReversed()) {
    if (entry.isRunning) continue;
    const { sentence, outcomes } = await recoverEntry(entry, deps).catch((error: unknown) =>
      notRecovered(AppError.from(error).sentence),
    );
    const summary = formatSentence(sentence);
    const ending: JournalEnding = { at: deps.clock.date(), status: 'interrupted', summary, outcomes };
    await deps.journal.finish(entry.runId, ending).catch((error: unknown) =>
      // The person learns what was recovered, also with a full disk. The next start checks the run again.
      deps.log.error('failed to record the end of an interrupted run', error, { runId: entry.runId }),
    );
    deps.log.warn('a run was interrupted', { runId: entry.runId, summary });
    found.push({ runId: entry.runId, sentence });
  }
  return found;
}

/** Age in milliseconds after which a record is no longer completed: a week. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

interface Recovery extends Pick<JournalEnding, 'outcomes'> {
  readonly sentence: Sentence;
}

async function recoverEntry(entry: JournalEntry, deps: RecoverDeps): Promise<Recovery> {
  if (entry.damage !== undefined) return notRecovered(say`the journal is damaged at ${entry.damage}`);
  const record = await runInSlices(readJournalRecord(entry.record), new TimeSlice(deps.clock));
  if (record === undefined) return notRecovered(say`its record has a different version`);
  const ageMs = Math.abs(Date.parse(deps.clock.date()) - Date.parse(record.at));
  // People have continued to work, so a file that is as before the run was probably reverted on purpose.
  if (!(ageMs < MAX_AGE_MS)) return notRecovered(say`its record is from ${record.at}, which is too old`);
  const notes = entry.notes.flatMap(note => {
    const known = JournalNote.safeParse(note);
    return known.success ? [known.data] : [];
  });
  const confirmed = new Set(notes.flatMap(note => note.ids));
  const applied = new Set(notes.flatMap(note => note.applied));
  const writes = (record.writes ?? []).filter(write => write.ids.every(id => confirmed.has(id)));
  const states = await finishWrites(entry.runId, writes, deps);
  const writesOf = new Map<string, JournalWrite[]>();
  for (const write of writes)
    for (const id of new Set(write.ids)) {
      const own = writesOf.get(id);
      if (own === undefined) writesOf.set(id, [write]);
      else own.push(write);
    }
  const outcomes = record.items
    .filter(item => item.choice !== 'skip')
    .map(item => outcomeOf(item, applied, confirmed, writesOf.get(item.id) ?? [], states));
  return { sentence: summarize(record, outcomes), outcomes };
}

const notRecovered = (reason: Sentence): Recovery => ({
  sentence: say`A sync was interrupted and could not be recovered: ${reason}. Start with a dry run.`,
  outcomes: [],
});

/** Finishes the writes. Returns the final state of each; `open`: neither started nor done. */
async function finishWrites(
  runId: string,
  writes: readonly JournalWrite[],
  deps: RecoverDeps,
): Promise<ReadonlyMap<JournalWrite, WrittenState>> {
  const states = new Map<JournalWrite, WrittenState>();
  // A file that was being replaced gets its name back first.
  for (const folder of new Set(writes.map(write => folderOf(projectPathOf(write))))) await deps.files.sweep(folder);
  for (const write of writes) states.set(write, await writtenState(write, deps.files, deps.hasher));
  const last = writes.findLastIndex(write => states.get(write) === 'done');
  // Nothing was written, or everything was reverted since, so nothing is half-done.
  if (last < 0) return states;
  // They are made in order: a file that is missing although a later write was made was deleted since, or its write failed.
  for (const [index, write] of writes.entries())
    if (index < last && states.get(write) === 'open' && write.file === undefined) states.set(write, 'moved');
  const movedIds = new Set(writes.flatMap(write => (states.get(write) === 'moved' ? write.ids : [])));
  for (const write of writes) {
    if (states.get(write) !== 'open' || write.ids.some(id => movedIds.has(id))) continue;
    try {
      await finishWrite(runId, write, deps);
      states.set(write, 'done');
    } catch (error) {
      deps.log.warn('a write of an interrupted run could not be finished', {
        path: write.path,
        reason: AppError.from(error).message,
      });
    }
  }
  return states;
}

async function finishWrite(runId: string, write: JournalWrite, { files, journal }: RecoverDeps): Promise<void> {
  const path = projectPathOf(write);
  const precondition =
    write.before === null ? ({ kind: 'absent' } as const) : ({ kind: 'hash', gitBlob: write.before } as const);
  if (write.kind === 'removeFolder') return await files.remove(path, { kind: 'emptyFolder' });
  if (write.kind === 'remove') return await files.remove(path, precondition);
  if (write.blob === null) throw new Error('the journal does not have the planned content');
  await files.replace(path, await journal.readBlob(runId, write.blob), precondition);
}

type Outcome = JournalEnding['outcomes'][number];

function outcomeOf(
  item: JournalItem,
  applied: ReadonlySet<string>,
  confirmed: ReadonlySet<string>,
  own: readonly JournalWrite[],
  states: ReadonlyMap<JournalWrite, WrittenState>,
): Outcome {
  const { id } = item;
  const written = own.filter(write => states.get(write) !== 'open').map(write => write.path);
  const failed = (reason: Reason): Outcome => {
    const effect = { files: written, studio: item.choice === 'merge' };
    return { id, outcome: 'failed', reason: recordedReason(reason), effect };
  };
  if (item.choice === 'push')
    return applied.has(id)
      ? { id, outcome: 'applied' }
      : {
          id,
          outcome: 'unknown',
          reason: reasonOf('push_unconfirmed'),
          effect: { files: [], studio: true },
        };
  if (!confirmed.has(id))
    return item.choice === 'merge'
      ? { id, outcome: 'unknown', reason: reasonOf('merge_interrupted'), effect: { files: [], studio: true } }
      : failed(reasonOf('write_interrupted'));
  const moved = own.filter(write => states.get(write) === 'moved').map(write => write.path);
  if (moved.length > 0) return failed(reasonOf('changed_since_interruption', moved.join(', ')));
  return own.every(write => states.get(write) === 'done')
    ? { id, outcome: item.choice === 'merge' ? 'merged' : 'written' }
    : failed(reasonOf('write_interrupted'));
}

function summarize({ at, requestedBy, items }: JournalRecord, outcomes: readonly Outcome[]): Sentence {
  const count = (outcome: string): number => outcomes.filter(one => one.outcome === outcome).length;
  const onlyOnDisk = new Set(items.filter(({ patchType }) => patchType === 'Add').map(({ id }) => id));
  const deleted = outcomes.filter(({ id, outcome }) => outcome === 'written' && onlyOnDisk.has(id)).length;
  const written = count('written') - deleted;
  const rest = count('failed') + count('unknown');
  const counts = [
    ...(written === 0 ? [] : [say`${written} written to disk`]),
    ...(deleted === 0 ? [] : [say`${deleted} deleted from disk`]),
    ...(count('applied') === 0 ? [] : [say`${count('applied')} pushed to Studio`]),
    ...(count('merged') === 0 ? [] : [say`${count('merged')} merged`]),
    ...(rest === 0 ? [] : [say`${rest} failed or unknown`]),
  ];
  const soFar = counts.length === 0 ? say`Nothing was changed.` : say`So far ${counts}.`;
  const next =
    rest === 0 ? say`Nothing is left to do.` : say`Start with a dry run; both sides can be restored from History.`;
  return say`The sync of ${at}, requested by ${requestedBy}, was interrupted. ${soFar} ${next}`;
}
