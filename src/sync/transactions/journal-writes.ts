import type { FileEdit } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalWrite } from '../../protocol/journal/journal-record.ts';

interface Planned {
  readonly edit: FileEdit;
  /** The items that require the edit. */
  readonly ids: readonly string[];
}

/** The planned writes of a record. Adds the new contents to `blobs`. */
export const journalWrites = (
  planned: readonly Planned[],
  blobs: Map<string, Uint8Array>,
  hasher: Hasher,
): JournalWrite[] =>
  planned.map(({ edit, ids }): JournalWrite => {
    const { path, precondition } = edit;
    const before = precondition.kind === 'hash' ? precondition.gitBlob : null;
    if (edit.kind === 'remove') {
      const kind = precondition.kind === 'emptyFolder' ? 'removeFolder' : 'remove';
      return { ids, path, kind, before, after: null, blob: null };
    }
    const blob = `after-${blobs.size}`;
    blobs.set(blob, edit.bytes);
    return { ids, path, kind: 'write', before, after: hasher.gitBlob(edit.bytes), blob };
  });
