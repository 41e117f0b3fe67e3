import type { NamedPath } from '../../protocol/path-name.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { plural } from '../../base/plural.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { JournalEnding, JournalItem, JournalWrite } from '../../protocol/journal/journal-record.ts';
import { type Reason, reasonText } from '../../protocol/reason.ts';
import { toJournalEntry } from '../../protocol/journal/changes-outside-run.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import { mayHaveWritten } from '../../project/writeback/may-have-written.ts';
import { recordEnding } from './record-ending.ts';
import { findNewFolders, journalWrites } from '../../project/writeback/journal-writes.ts';

interface WriteJournalDeps {
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly hasher: Hasher;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Records that a write failed. Never rejects.
 *
 * @param problem why the items failed
 * @param done the files that were written nevertheless
 * @param failed the ids of the items that failed, with their reasons; all items by default
 */
export type RecordFailure = (
  problem: Reason,
  done: readonly ProjectPath[],
  failed?: ReadonlyMap<string, Reason>,
) => Promise<void>;

/** Records in the journal the files that a write from Studio replaces, and edits that could not be written. */
export class WriteJournal {
  readonly #deps: WriteJournalDeps;

  constructor(deps: WriteJournalDeps) {
    this.#deps = deps;
  }

  /**
   * Records in one entry the files that `edits` replace, with their new content, and those that they create, so that a restore removes these.
   *
   * @param items with the paths that belong to each of them
   * @returns a function that changes the entry if the write fails
   */
  async recordFiles(
    items: readonly (readonly [WrittenItem, ReadonlySet<ProjectPath>])[],
    edits: readonly FileEdit[],
  ): Promise<RecordFailure> {
    const { files, hasher } = this.#deps;
    const blobs = new Map<string, Uint8Array>();
    const before = new Map<ProjectPath, { readonly path: ProjectPath; readonly blob: string | null }>();
    for (const { path } of edits) {
      const stat = await files.stat(path);
      if (stat === undefined) before.set(path, { path, blob: null });
      if (stat?.kind !== 'file') continue;
      const bytes = await files.read(path);
      const blob = hasher.gitBlob(bytes);
      blobs.set(blob, bytes);
      before.set(path, { path, blob });
    }
    const recorded = items.flatMap(([item, paths]): readonly JournalItem[] => {
      const kept = Array.from(paths).flatMap(path => before.get(path) ?? []);
      return kept.length === 0 ? [] : [{ ...item, choice: 'pull', files: kept }];
    });
    const ids = new Map<ProjectPath, string[]>();
    for (const [{ id }, paths] of items)
      for (const path of paths) {
        const known = ids.get(path);
        if (known === undefined) ids.set(path, [id]);
        else known.push(id);
      }
    const planned = edits.map(edit => ({ edit, ids: ids.get(edit.path) ?? [] }));
    const newFolders = await findNewFolders(edits, files);
    const slice = new TimeSlice(this.#deps.clock);
    const writes = await runInSlices(journalWrites(planned, newFolders, blobs, hasher), slice);
    const runId = await this.#append(recorded, blobs, pullSummary, writes);
    return async (problem, done, failed) => {
      const written = new Set(done);
      for (const edit of edits)
        if (!written.has(edit.path) && (await mayHaveWritten(edit, problem, files, hasher))) written.add(edit.path);
      const outcomes = recorded.flatMap(({ id, files: own }) => {
        const reason = failed === undefined ? problem : failed.get(id);
        const paths = own.flatMap(({ path }) => (written.has(path as ProjectPath) ? [path] : []));
        const effect = { files: paths, studio: false };
        return reason === undefined ? [] : [{ id, outcome: 'failed' as const, reason, effect }];
      });
      const [first] = recorded;
      if (runId === undefined || first === undefined || outcomes.length === 0) return;
      const what =
        outcomes.length < recorded.length
          ? `${outcomes.length} of ${recorded.length} instances`
          : plural(recorded.length, first.path, `${recorded.length} instances`);
      const reason = reasonText(problem).replace(/\.$/, '');
      const consequence = done.length === 0 ? 'No file was changed.' : 'The previous files are in History.';
      const ending: JournalEnding = {
        at: this.#deps.clock.date(),
        status: 'recorded',
        summary: `Did not write ${what} from Studio: ${reason}. ${consequence}`,
        outcomes,
      };
      await this.#afterWrites(() => recordEnding(this.#deps.journal, runId, ending));
    };
  }

  /** Records in one entry Studio's side of edits that were not written. Never rejects. */
  async recordRefused(items: readonly WrittenItem[]): Promise<void> {
    const refused = items.map((item): JournalItem => ({ ...item, choice: 'skip', files: [] }));
    const summaryOf = (first: JournalItem, count: number): string =>
      plural(
        count,
        `Did not write ${first.path} from Studio. Studio's version is in History.`,
        `Did not write ${count} instances from Studio. Studio's versions are in History.`,
      );
    await this.#afterWrites(() => this.#append(refused, new Map(), summaryOf));
  }

  /** Records what was not written. A failure does not change the outcomes of what was. */
  async #afterWrites(record: () => Promise<unknown>): Promise<void> {
    try {
      await record();
    } catch (error) {
      this.#deps.log.error('edits of Studio that were not written could not be recorded', error);
    }
  }

  async #append(
    items: readonly JournalItem[],
    blobs: ReadonlyMap<string, Uint8Array>,
    summaryOf: (first: JournalItem, count: number) => string,
    writes?: readonly JournalWrite[],
  ): Promise<string | undefined> {
    const [first] = items;
    if (first === undefined) return undefined;
    const { journal, random, clock } = this.#deps;
    const runId = random.uuid();
    const { record, ending } = toJournalEntry({
      runId,
      at: clock.date(),
      requestedBy: 'Live Sync',
      place: 'Studio',
      items,
      summary: summaryOf(first, items.length),
    });
    await journal.append(runId, { ...record, ...(writes && { writes }) }, blobs, ending);
    return runId;
  }
}

function pullSummary({ path, patchType }: JournalItem, count: number): string {
  const what = plural(count, path, `${count} instances`);
  return patchType === 'Remove'
    ? `Created ${what} from Studio.`
    : patchType === 'Add'
      ? `Removed ${what}, as in Studio. The previous files are in History.`
      : `Updated ${what} from Studio. The previous files are in History.`;
}

/** An item without its files and choice. */
export type WrittenItem = Omit<JournalItem, 'files' | 'choice'>;

/** Creates the journal item for a write, without its files and choice. */
export const journalItem = (
  id: string,
  named: NamedPath,
  patchType: 'Add' | 'Edit' | 'Remove',
  fsPath: ProjectPath | null,
  className: string,
  studio: StudioInstance | null,
): WrittenItem => ({ id, ...named, className, patchType, fsPath, studio });
