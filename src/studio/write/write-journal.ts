import type { ProjectPath } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Random } from '../../ports/random.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import { toJournalEntry } from '../../protocol/journal/serialized-record.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { FileEdit } from '../../ports/file-system.ts';

interface WriteJournalDeps {
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly random: Random;
  readonly clock: Clock;
}

/** Records in the journal the files that a write from Studio replaces, and edits that could not be written. */
export class WriteJournal {
  readonly #deps: WriteJournalDeps;

  constructor(deps: WriteJournalDeps) {
    this.#deps = deps;
  }

  /** Records the files that `edits` replace, and those that they create, so that a restore removes these. */
  async recordFiles(what: Omit<JournalItem, 'files' | 'choice'>, edits: readonly FileEdit[]): Promise<void> {
    const { files } = this.#deps;
    const blobs = new Map<string, Uint8Array>();
    const kept: { path: string; blob: string | null }[] = [];
    for (const { path } of edits) {
      const stat = await files.stat(path);
      if (stat === undefined) kept.push({ path, blob: null });
      if (stat?.kind !== 'file') continue;
      const blob = `file-${blobs.size}`;
      blobs.set(blob, await files.read(path));
      kept.push({ path, blob });
    }
    if (kept.length > 0) await this.#append({ ...what, choice: 'pull', files: kept }, blobs);
  }

  /** Records Studio's side of an edit that was not written. */
  async recordRefused(what: Omit<JournalItem, 'files' | 'choice'>): Promise<void> {
    await this.#append({ ...what, choice: 'skip', files: [] }, new Map());
  }

  async #append(item: JournalItem, blobs: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const { journal, random, clock } = this.#deps;
    const runId = random.uuid();
    const { record, ending } = toJournalEntry({
      runId,
      at: clock.date(),
      requestedBy: 'Live Sync',
      place: 'Studio',
      items: [item],
      summary:
        item.choice === 'skip'
          ? `Did not write ${item.path} from Studio. Studio's version is in History.`
          : item.patchType === 'Remove'
            ? `Created ${item.path} from Studio.`
            : item.patchType === 'Add'
              ? `Removed ${item.path}, as in Studio. The previous files are in History.`
              : `Updated ${item.path} from Studio. The previous files are in History.`,
    });
    await journal.append(runId, record, blobs, ending);
  }
}

/** Creates the journal item for a write, without its files and choice. */
export const journalItem = (
  id: string,
  path: string,
  patchType: 'Add' | 'Edit' | 'Remove',
  fsPath: ProjectPath | null,
  className: string,
  studio: StudioInstance | null,
): Omit<JournalItem, 'files' | 'choice'> => ({ id, path, className, patchType, fsPath, studio });
