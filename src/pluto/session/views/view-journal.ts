import { plural } from '../../../base/plural.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { JournalLimits, JournalStore } from '../../../ports/journal-store.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Random } from '../../../ports/random.ts';
import type { JournalItem } from '../../../protocol/journal/journal-record.ts';
import { toJournalEntry } from '../../../protocol/journal/changes-outside-run.ts';
import type { Choice } from '../../../protocol/sync-request.ts';
import type { PatchType } from '../../../protocol/sync-result.ts';
import type { Take, ViewSnapshot } from './compare-with-module.ts';
import type { CurrentFile } from './view-files.ts';

export const choiceOf: Readonly<Record<Take, Choice>> = { pt: 'push', pluto: 'pull', skip: 'skip' };
export const patchTypeOf = { added: 'Add', updated: 'Edit', deleted: 'Remove' } as const satisfies Readonly<
  Record<string, PatchType>
>;

/** A replaced source and the new one; `undefined`: there is none. */
export interface ReplacedText {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The decisions and the view that they concern. */
export interface RecordedSnapshot extends Pick<ViewSnapshot, 'view' | 'path' | 'changes'> {
  /** The content of the `.pt`. */
  readonly file: Pick<CurrentFile, 'bytes'>;
  /** The whole source before and after, for a sync that changes only comments between declarations. */
  readonly whole: ReplacedText;
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
  /** Called with the id and the paths of both files. */
  readonly onRecorded?: (runId: string, files: string) => void;
}

export function createViewJournal(
  { journal, limits, random, clock, log, onRecorded = () => {} }: ViewJournalDeps,
  requestedBy: string,
): ViewJournal {
  return {
    async record({ view, path, file, changes, whole }, module) {
      const blobs = new Map<string, Uint8Array>();
      const files = [
        { path, bytes: module.bytes, name: 'module' },
        { path: view, bytes: file.bytes, name: 'view' },
      ].map(({ path: at, bytes, name }) => {
        if (bytes !== undefined) blobs.set(name, bytes);
        return { path: at, blob: bytes === undefined ? null : name };
      });
      const put = (name: string, text: string | undefined): string | null => {
        if (text === undefined) return null;
        blobs.set(name, new TextEncoder().encode(text));
        return name;
      };
      const textsOf = ({ before, after }: ReplacedText, index: number): JournalItem['texts'] => ({
        before: put(`before-${index}`, before),
        after: put(`after-${index}`, after),
      });
      const declarations = changes.map(({ id, name, kind, change, take, before, after }, index) => ({
        id,
        path: `${path}/${name}`,
        className: kind as string,
        patchType: patchTypeOf[change] as PatchType,
        choice: choiceOf[take ?? 'skip'],
        texts: textsOf(take === 'pluto' ? { before: after, after: before } : { before, after }, index),
      }));
      // Without changed declarations only comments between them changed.
      const comments = { id: path, path, className: 'module', patchType: 'Edit' as const, choice: 'push' as const };
      const rows = declarations.length > 0 ? declarations : [{ ...comments, texts: textsOf(whole, 0) }];
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
      onRecorded(runId, `${path} and ${view}`);
    },
  };
}
