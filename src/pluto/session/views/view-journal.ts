import { plural } from '../../../base/plural.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { JournalLimits, JournalStore } from '../../../ports/journal-store.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Random } from '../../../ports/random.ts';
import { toJournalEntry } from '../../../protocol/journal/serialized-record.ts';
import type { Choice, PatchType } from '../../../protocol/sync.ts';
import type { Take, ViewSnapshot } from './compare-with-module.ts';
import type { CurrentFile } from './view-files.ts';

export const choiceOf: Readonly<Record<Take, Choice>> = { pt: 'push', pluto: 'pull', skip: 'skip' };
export const patchTypeOf = { added: 'Add', updated: 'Edit', deleted: 'Remove' } as const satisfies Readonly<
  Record<string, PatchType>
>;

/** The decisions and the view that they concern. */
export interface RecordedSnapshot extends Pick<ViewSnapshot, 'view' | 'path' | 'changes'> {
  /** The content of the `.pt`. */
  readonly file: Pick<CurrentFile, 'bytes'>;
}

/** Records both files before a sync of a `.pt` changes them, so that either can be restored. */
export interface ViewJournal {
  /** Resolves once both files are recorded. @param module the module's file */
  record(snapshot: RecordedSnapshot, module: Pick<CurrentFile, 'bytes'>): Promise<void>;
}

export interface ViewJournalDeps {
  readonly journal: JournalStore;
  readonly limits: () => JournalLimits;
  readonly random: Pick<Random, 'uuid'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly log: Logger;
}

export function createViewJournal(
  { journal, limits, random, clock, log }: ViewJournalDeps,
  requestedBy: string,
): ViewJournal {
  return {
    async record({ view, path, file, changes }, module) {
      const blobs = new Map<string, Uint8Array>();
      const files = [
        { path, bytes: module.bytes, name: 'module' },
        { path: view, bytes: file.bytes, name: 'view' },
      ].map(({ path: at, bytes, name }) => {
        if (bytes !== undefined) blobs.set(name, bytes);
        return { path: at, blob: bytes === undefined ? null : name };
      });
      const declarations = changes.map(({ id, name, kind, change, take }) => ({
        id,
        path: `${path}/${name}`,
        className: kind as string,
        patchType: patchTypeOf[change] as PatchType,
        choice: choiceOf[take ?? 'skip'],
      }));
      // Without changed declarations only comments between them changed.
      const whole = { id: path, path, className: 'module', patchType: 'Edit' as const, choice: 'push' as const };
      const rows = declarations.length > 0 ? declarations : [whole];
      const subject =
        changes.length === 0 ? 'comments' : plural(changes.length, '1 declaration', `${changes.length} declarations`);
      const runId = random.uuid();
      const { record, ending } = toJournalEntry({
        runId,
        at: clock.date(),
        requestedBy,
        place: view,
        items: rows.map(row => ({ ...row, fsPath: view, files, studio: null })),
        summary: `Recorded ${path} and ${view} before syncing ${subject}.`,
      });
      await journal.append(runId, record, blobs, ending);
      await journal.prune(limits()).catch((error: unknown) => log.error('failed to prune the journal', error));
    },
  };
}
