import type { PausableWork } from '../../base/time-slice.ts';
import { movedFiles } from '../../project/writeback/moved-files.ts';
import type { JournalRecord } from '../../protocol/journal/journal-record.ts';

/** The files of a run that got another path, by their new and by their former paths. */
interface RecordedMoves {
  readonly movedFrom: ReadonlyMap<string, string>;
  readonly movedTo: ReadonlyMap<string, string>;
}

/** Changes that are looked at between two pauses. */
const BATCH_SIZE = 64;

/** Finds the files that a recorded run has renamed or moved, also those whose text it changed at once. */
export function* recordedMoves(
  { items, writes = [] }: Pick<JournalRecord, 'items' | 'writes'>,
  hasWritten: (id: string, path: string) => boolean,
): PausableWork<RecordedMoves> {
  const done = writes.filter(({ ids, path }) => ids.every(id => hasWritten(id, path)));
  const movedFrom = new Map(yield* movedFiles(done));
  const movedTo = new Map(Array.from(movedFrom, ([to, from]) => [from, to]));
  const byPath = new Map(done.map(write => [write.path, write]));
  for (const [index, { files }] of items.entries()) {
    if (index % BATCH_SIZE === 0) yield;
    const own = files.flatMap(({ path }) => byPath.get(path) ?? []);
    const [from, ...otherFrom] = own.filter(({ kind, path }) => kind === 'remove' && !movedTo.has(path));
    const [to, ...otherTo] = own.filter(one => one.kind === 'write' && one.before === null && !movedFrom.has(one.path));
    if (from === undefined || to === undefined || otherFrom.length + otherTo.length > 0) continue;
    movedFrom.set(to.path, from.path);
    movedTo.set(from.path, to.path);
  }
  return { movedFrom, movedTo };
}
