import type { PausableWork } from '../../base/time-slice.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalWrite } from '../../protocol/journal/journal-record.ts';

interface Planned {
  readonly edit: FileEdit;
  /** The items that require the edit. */
  readonly ids: readonly string[];
}

/** The planned writes of a record. Adds the new contents to `blobs`. */
export function* journalWrites(
  planned: readonly Planned[],
  blobs: Map<string, Uint8Array>,
  hasher: Hasher,
): PausableWork<JournalWrite[]> {
  const writes: JournalWrite[] = [];
  for (const { edit, ids } of planned) {
    yield;
    const { path, precondition } = edit;
    const before = precondition.kind === 'hash' ? precondition.gitBlob : null;
    if (edit.kind === 'remove') {
      const kind = precondition.kind === 'emptyFolder' ? 'removeFolder' : 'remove';
      writes.push({ ids, path, kind, before, after: null, blob: null });
      continue;
    }
    const after = hasher.gitBlob(edit.bytes);
    blobs.set(after, edit.bytes);
    writes.push({ ids, path, kind: 'write', before, after, blob: after });
  }
  return writes;
}
