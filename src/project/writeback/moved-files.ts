import type { PausableWork } from '../../base/time-slice.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalWrite } from '../../protocol/journal/journal-record.ts';

/** Writes that are looked at between two pauses. */
const BATCH_SIZE = 256;

/**
 * The files that get another path: the former path of each by its new path. Such a file is created with the content of one that is removed.
 * Of several files with one content, those with the same name belong together.
 */
export function* movedFiles(
  writes: readonly Pick<JournalWrite, 'path' | 'kind' | 'before' | 'after'>[],
): PausableWork<ReadonlyMap<string, string>> {
  const moved = new Map<string, string>();
  const former = new Set<string>();
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const keys: readonly ((content: string, path: string) => string)[] = [
    (content, path) => `${content} ${nameOf(path)}`,
    content => content,
  ];
  for (const keyOf of keys) {
    const removed = new Map<string, string[]>();
    for (const [index, { path, kind, before }] of writes.entries()) {
      if (index % BATCH_SIZE === 0) yield;
      if (kind !== 'remove' || before === null || former.has(path)) continue;
      const key = keyOf(before, path);
      const known = removed.get(key);
      if (known === undefined) removed.set(key, [path]);
      else known.push(path);
    }
    for (const [index, { path, kind, before, after }] of writes.entries()) {
      if (index % BATCH_SIZE === 0) yield;
      if (kind !== 'write' || before !== null || after === null || moved.has(path)) continue;
      const from = removed.get(keyOf(after, path))?.pop();
      if (from === undefined) continue;
      moved.set(path, from);
      former.add(from);
    }
  }
  return moved;
}

/** The number of files that the edits concern. A renamed or moved file is one. */
export function* countFiles(edits: readonly FileEdit[], hasher: Hasher): PausableWork<number> {
  if (edits.every(({ kind }) => kind === 'write')) return edits.length;
  const writes: Parameters<typeof movedFiles>[0][number][] = [];
  for (const edit of edits) {
    const { path, kind, precondition } = edit;
    const before = precondition.kind === 'hash' ? precondition.gitBlob : null;
    const after = edit.kind === 'write' ? yield* hasher.gitBlobPausable(edit.bytes) : null;
    writes.push({ path, kind, before, after });
  }
  return edits.length - (yield* movedFiles(writes)).size;
}
