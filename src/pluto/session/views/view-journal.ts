import type { Clock } from '../../../ports/clock.ts';
import type { JournalLimits, JournalStore } from '../../../ports/journal-store.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Random } from '../../../ports/random.ts';
import { keptRecord } from '../../../protocol/journal/serialized-record.ts';
import type { Choice, PatchType } from '../../../protocol/sync.ts';
import type { Take, ViewLook } from './look-at-view.ts';
import type { FileNow } from './view-files.ts';

export const choiceOf: Readonly<Record<Take, Choice>> = { pt: 'push', pluto: 'pull', skip: 'skip' };
export const patchTypeOf = { added: 'Add', updated: 'Edit', deleted: 'Remove' } as const satisfies Readonly<
  Record<string, PatchType>
>;

/** What is decided, about which files. */
export interface KeptLook extends Pick<ViewLook, 'view' | 'path' | 'changes'> {
  /** The `.pt`. */
  readonly file: Pick<FileNow, 'bytes'>;
}

/** Keeps both sides of what a sync of a `.pt` decides, so that either can be restored. */
export interface ViewJournal {
  /** Resolves once both files are kept as they are. @param module the module's file */
  keep(look: KeptLook, module: Pick<FileNow, 'bytes'>): Promise<void>;
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
    async keep({ view, path, file, changes }, module) {
      const blobs = new Map<string, Uint8Array>();
      const kept = [
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
      // Comments between declarations are changes of none of them.
      const whole = { id: path, path, className: 'module', patchType: 'Edit' as const, choice: 'push' as const };
      const rows = declarations.length > 0 ? declarations : [whole];
      const many =
        changes.length === 0
          ? 'comments were'
          : changes.length === 1
            ? '1 declaration was'
            : `${changes.length} declarations were`;
      const runId = random.uuid();
      const { record, ending } = keptRecord({
        runId,
        at: clock.date(),
        requestedBy,
        place: view,
        items: rows.map(row => ({ ...row, fsPath: view, files: kept, studio: null })),
        summary: `Kept ${path} and ${view} as they were before ${many} synced.`,
      });
      await journal.append(runId, record, blobs, ending);
      await journal.prune(limits()).catch((error: unknown) => log.error('the journal was not pruned', error));
    },
  };
}
