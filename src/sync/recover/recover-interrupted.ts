import { AppError } from '../../base/errors.ts';
import { inWords, say, type Sentence } from '../../base/sentence.ts';
import { folderOf } from '../../base/project-path.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalEntry, JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import {
  JournalNote,
  JournalRecord,
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
  /** What was found and what was done about it, complete by itself. */
  readonly sentence: Sentence;
}

/**
 * Looks after the runs that a crash cut off, before anything else reads or writes the project. Where files were being written, the rest is
 * written as it was planned, wherever a file still is what it was before; where none was, none is. Everything that somebody changed since
 * stays. Each run gets its ending in the journal.
 *
 * @returns the runs that were found, oldest first
 */
export async function recoverInterrupted(deps: RecoverDeps): Promise<readonly InterruptedRun[]> {
  const found: InterruptedRun[] = [];
  for (const entry of (await deps.journal.unfinished()).toReversed()) {
    if (entry.isGoingOn) continue;
    const { sentence, outcomes } = await endOf(entry, deps).catch((error: unknown) =>
      unreadable(AppError.from(error).sentence),
    );
    const summary = inWords(sentence);
    await deps.journal.finish(entry.runId, { at: deps.clock.date(), status: 'interrupted', summary, outcomes });
    deps.log.warn('a run was cut off', { runId: entry.runId, summary });
    found.push({ runId: entry.runId, sentence });
  }
  return found;
}

interface Found extends Pick<JournalEnding, 'outcomes'> {
  readonly sentence: Sentence;
}

async function endOf(entry: JournalEntry, deps: RecoverDeps): Promise<Found> {
  const record = JournalRecord.safeParse(entry.record);
  if (!record.success) return unreadable(say`its record is of another version`);
  const notes = entry.notes.flatMap(note => {
    const known = JournalNote.safeParse(note);
    return known.success ? [known.data] : [];
  });
  const confirmed = new Set(notes.flatMap(note => note.ids));
  const applied = new Set(notes.flatMap(note => note.applied));
  const writes = (record.data.writes ?? []).filter(write => write.ids.every(id => confirmed.has(id)));
  const states = await finishWrites(entry.runId, writes, deps);
  const outcomes = record.data.items
    .filter(item => item.choice !== 'skip')
    .map(item => outcomeOf(item, applied, confirmed, states));
  return { sentence: summarize(record.data, outcomes), outcomes };
}

const unreadable = (reason: Sentence): Found => ({
  sentence: say`A sync was cut off and could not be looked after: ${reason}. Start with a dry run.`,
  outcomes: [],
});

/** What became of each write in the end; `open`: it was not begun and is not made. */
async function finishWrites(
  runId: string,
  writes: readonly JournalWrite[],
  deps: RecoverDeps,
): Promise<ReadonlyMap<JournalWrite, WrittenState>> {
  const states = new Map<JournalWrite, WrittenState>();
  for (const write of writes) states.set(write, await writtenState(write, deps.files, deps.hasher));
  for (const folder of new Set(writes.map(write => folderOf(projectPathOf(write))))) await deps.files.sweep(folder);
  // Nothing written, or all of it taken back since: then there is nothing half-done, and nobody is surprised.
  if (!writes.some(write => states.get(write) === 'done')) return states;
  const movedIds = new Set(writes.flatMap(write => (states.get(write) === 'moved' ? write.ids : [])));
  for (const write of writes) {
    if (states.get(write) !== 'open' || write.ids.some(id => movedIds.has(id))) continue;
    try {
      await carryOutWrite(runId, write, deps);
      states.set(write, 'done');
    } catch (error) {
      deps.log.warn('a write of a run that was cut off could not be finished', {
        path: write.path,
        reason: AppError.from(error).message,
      });
    }
  }
  return states;
}

async function carryOutWrite(runId: string, write: JournalWrite, { files, journal }: RecoverDeps): Promise<void> {
  const path = projectPathOf(write);
  const precondition =
    write.before === null ? ({ kind: 'absent' } as const) : ({ kind: 'hash', gitBlob: write.before } as const);
  if (write.kind === 'removeFolder') return await files.remove(path, { kind: 'emptyFolder' });
  if (write.kind === 'remove') return await files.remove(path, precondition);
  if (write.blob === null) throw new Error('the journal does not hold what was to be written');
  await files.replace(path, await journal.readBlob(runId, write.blob), precondition);
}

type Outcome = JournalEnding['outcomes'][number];

function outcomeOf(
  item: JournalItem,
  applied: ReadonlySet<string>,
  confirmed: ReadonlySet<string>,
  states: ReadonlyMap<JournalWrite, WrittenState>,
): Outcome {
  const { id } = item;
  const failed = (reason: string): Outcome => ({ id, outcome: 'failed', reason });
  if (item.choice === 'push')
    return applied.has(id)
      ? { id, outcome: 'applied' }
      : {
          id,
          outcome: 'unknown',
          reason: 'it is not known whether Studio did it; a dry run shows what it holds',
        };
  if (!confirmed.has(id)) return failed('not written: the sync was cut off before');
  const own = Array.from(states).filter(([write]) => write.ids.includes(id));
  const moved = own.filter(([, state]) => state === 'moved').map(([write]) => write.path);
  if (moved.length > 0) return failed(`left as it is, because it changed since: ${moved.join(', ')}`);
  return own.every(([, state]) => state === 'done')
    ? { id, outcome: 'written' }
    : failed('not written: the sync was cut off before');
}

function summarize({ at, requestedBy }: JournalRecord, outcomes: readonly Outcome[]): Sentence {
  const count = (outcome: string): number => outcomes.filter(one => one.outcome === outcome).length;
  const rest = count('failed') + count('unknown');
  const what = [
    say`${count('written')} written to disk`,
    say`${count('applied')} pushed to Studio`,
    say`${rest} not done or not known`,
  ];
  const next =
    rest === 0 ? say`Nothing is left to do.` : say`Start with a dry run; what stood on both sides can be restored.`;
  return say`The sync of ${at}, asked for by ${requestedBy}, was cut off. By now ${what}. ${next}`;
}
