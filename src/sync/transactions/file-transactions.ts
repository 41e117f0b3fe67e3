import { failureReason } from '../../protocol/failure-reasons.ts';
import type { Reason } from '../../protocol/reason.ts';
import { counted } from '../../base/plural.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { FileEdit, FileStat, FileSystem } from '../../ports/file-system.ts';
import type { FileTransactions, TransactionRequest } from '../../ports/file-transactions.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalLimits, JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type {
  JournalEnding,
  JournalItem,
  JournalNote,
  JournalRecord,
  PartialEffect,
} from '../../protocol/journal/journal-record.ts';
import { recordedReason } from '../../protocol/journal/recorded-reason.ts';
import { mayHaveWritten } from '../../project/writeback/may-have-written.ts';
import { movedFiles } from '../../project/writeback/moved-files.ts';
import { endBytesOf, findNewFolders, journalWrites } from '../../project/writeback/journal-writes.ts';

export interface FileTransactionsDeps {
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly limits: () => JournalLimits;
  readonly hasher: Hasher;
  readonly random: Pick<Random, 'uuid'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Transactions in the journal of runs: recovery, history and restore treat them like a pull without Studio. */
export function createFileTransactions(deps: FileTransactionsDeps): FileTransactions {
  const { files, journal, hasher, random, clock, log } = deps;
  return {
    async begin({ requestedBy, title, edits }) {
      const runId = random.uuid();
      const blobs = new Map<string, Uint8Array>();
      const items: JournalItem[] = [];
      const stats = new Map<ProjectPath, FileStat>();
      for (const edit of edits) {
        const stat = await files.stat(edit.path);
        const bytes = stat?.kind === 'file' ? await files.read(edit.path) : undefined;
        const blob = bytes === undefined ? null : hasher.gitBlob(bytes);
        if (blob !== null && bytes !== undefined) blobs.set(blob, bytes);
        if (stat !== undefined) stats.set(edit.path, stat);
        items.push(toItem(edit, blob));
      }
      const planned = edits.map(edit => ({ edit, ids: [idOf(edit)] }));
      const newFolders = await findNewFolders(edits, files);
      const work = journalWrites(planned, newFolders, blobs, hasher, stats);
      const writes = await runInSlices(work, new TimeSlice(clock));
      const moved = await runInSlices(movedFiles(writes), new TimeSlice(clock));
      const place = { name: title, placeId: 0 };
      const record: JournalRecord = {
        version: 1,
        runId,
        at: clock.date(),
        mode: 'standard',
        requestedBy,
        place,
        items,
        writes,
      };
      const endBytes = await runInSlices(endBytesOf(record), new TimeSlice(clock));
      await journal.append(runId, record, blobs, undefined, endBytes);
      const finish = async (failed: ReadonlyMap<string, Reason>): Promise<void> => {
        try {
          const effects = new Map<string, PartialEffect>();
          for (const edit of edits) {
            const reason = failed.get(edit.path);
            if (reason === undefined) continue;
            const isWritten = await mayHaveWritten(edit, reason, files, hasher);
            effects.set(edit.path, { files: isWritten ? [edit.path] : [], studio: false });
          }
          await journal.finish(runId, endingOf({ title, edits, moved }, failed, effects, clock.date()));
          await journal.prune(deps.limits());
        } catch (error) {
          log.error('failed to record the end of a transaction; the next start does', error, { runId });
        }
      };
      // Studio confirms nothing, so all writes may be completed after a crash.
      const note: JournalNote = { kind: 'confirmed', ids: items.map(item => item.id), applied: [] };
      try {
        await journal.note(runId, note);
      } catch (error) {
        const reason = failureReason(error);
        await finish(new Map(edits.map(({ path }) => [path, reason])));
        throw error;
      }
      return { runId, finish };
    },
  };
}

const idOf = ({ path }: FileEdit): string => path;

const toItem = (edit: FileEdit, blob: string | null): JournalItem => ({
  id: idOf(edit),
  path: edit.path,
  className: edit.kind === 'remove' && edit.precondition.kind === 'emptyFolder' ? 'Folder' : 'File',
  // As in a pull: an instance that is not on disk exists only on the other side.
  patchType: blob === null ? 'Remove' : edit.kind === 'remove' ? 'Add' : 'Edit',
  choice: 'pull',
  fsPath: edit.path,
  files: [{ path: edit.path, blob }],
  studio: null,
});

/** @param moved the former paths of renamed and moved files by their new paths; such a file is counted once */
function endingOf(
  {
    title,
    edits,
    moved,
  }: Pick<TransactionRequest, 'title' | 'edits'> & { readonly moved: ReadonlyMap<string, string> },
  failed: ReadonlyMap<string, Reason>,
  effects: ReadonlyMap<string, PartialEffect>,
  at: string,
): JournalEnding {
  const outcomes = edits.map(edit => {
    const reason = failed.get(edit.path);
    const id = idOf(edit);
    const effect = effects.get(edit.path);
    return reason === undefined
      ? { id, outcome: 'written' as const }
      : { id, outcome: 'failed' as const, reason: recordedReason(reason), ...(effect && { effect }) };
  });
  const hasFailed = (path: string): boolean => failed.has(path);
  const former = new Set(Array.from(moved).flatMap(pair => (pair.some(hasFailed) ? [] : [pair[1]])));
  const files = outcomes.filter(({ id }) => !former.has(id));
  const written = files.filter(({ outcome }) => outcome === 'written').length;
  const total = counted(files.length, 'file');
  return {
    at,
    status: failed.size === 0 ? 'success' : 'partial',
    summary: `${title}: ${written === files.length ? total : `${written} of ${total}`} written.`,
    outcomes,
  };
}
