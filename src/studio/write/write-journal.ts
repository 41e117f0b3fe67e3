import type { ProjectPath } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Random } from '../../ports/random.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import { toJournalEntry } from '../../protocol/journal/serialized-record.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { FileEdit } from '../../project/project-session.ts';

interface WriteJournalDeps {
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly hasher: Hasher;
  readonly random: Random;
  readonly clock: Clock;
}

/** Keeps what a write from Studio displaces, or what it could not bring to disk. */
export class WriteJournal {
  readonly #deps: WriteJournalDeps;
  /** Bytes that a write from Studio left in a file: they are Studio's own, so replacing them loses nobody's work. */
  readonly #ours = new Map<ProjectPath, string>();

  constructor(deps: WriteJournalDeps) {
    this.#deps = deps;
  }

  /** Resolves once the files that `edits` change are kept. */
  async keepFiles(what: Omit<JournalItem, 'files' | 'choice'>, edits: readonly FileEdit[]): Promise<void> {
    const { files, hasher } = this.#deps;
    const blobs = new Map<string, Uint8Array>();
    const kept: { path: string; blob: string | null }[] = [];
    for (const { path } of edits) {
      const stat = await files.stat(path);
      const bytes = stat?.kind === 'file' ? await files.read(path) : undefined;
      if (bytes === undefined) continue;
      if (this.#ours.get(path) === hasher.gitBlob(bytes)) continue;
      const blob = `file-${blobs.size}`;
      blobs.set(blob, bytes);
      kept.push({ path, blob });
    }
    if (kept.length > 0) await this.#append({ ...what, choice: 'pull', files: kept }, blobs);
  }

  /** Resolves once Studio's side of a write that was refused is kept. */
  async keepRefused(what: Omit<JournalItem, 'files' | 'choice'>): Promise<void> {
    await this.#append({ ...what, choice: 'skip', files: [] }, new Map());
  }

  written(edits: readonly FileEdit[]): void {
    for (const edit of edits) {
      if (edit.kind === 'write') this.#ours.set(edit.path, this.#deps.hasher.gitBlob(edit.bytes));
      else this.#ours.delete(edit.path);
    }
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
          ? `Kept what Studio held of ${item.path}.`
          : `Kept the files of ${item.path}, which Studio wrote.`,
    });
    await journal.append(runId, record, blobs, ending);
  }
}

/** The head of a journal item for a write that says `studio` of an instance. */
export const journalItem = (
  id: string,
  path: string,
  patchType: 'Add' | 'Edit' | 'Remove',
  fsPath: ProjectPath | null,
  className: string,
  studio: StudioInstance | null,
): Omit<JournalItem, 'files' | 'choice'> => ({ id, path, className, patchType, fsPath, studio });
