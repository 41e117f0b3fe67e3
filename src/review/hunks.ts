import { diffArrays } from 'diff';
import type { Direction } from '../protocol/sync.ts';

/** Lines of a text: from `start`, counted from 0, `count` of them. */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** One place where both texts differ. What stands between two of them is the same on both sides. */
export interface Hunk {
  readonly disk: LineRange;
  readonly studio: LineRange;
}

/** Texts that differ in more lines than this are one hunk: to tell their parts apart would take longer than to read them. */
const MAX_EDITS = 1_000;

const linesOf = (text: string): readonly string[] => plainText(text).split('\n');

/** Line ends and a byte-order mark are the file's own; they are no part of what is decided about. */
const plainText = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

/** Where `studio` and `disk` differ, from the top down. */
export function findHunks(disk: string, studio: string): readonly Hunk[] {
  const [left, right] = [linesOf(studio), linesOf(disk)];
  const parts = diffArrays([...left], [...right], { maxEditLength: MAX_EDITS });
  if (parts === undefined)
    return [{ studio: { start: 0, count: left.length }, disk: { start: 0, count: right.length } }];
  const hunks: Hunk[] = [];
  const at = { studio: 0, disk: 0 };
  let begin: typeof at | undefined;
  const close = (): void => {
    if (begin !== undefined)
      hunks.push({
        studio: { start: begin.studio, count: at.studio - begin.studio },
        disk: { start: begin.disk, count: at.disk - begin.disk },
      });
    begin = undefined;
  };
  for (const { added, removed, count } of parts) {
    if (!added && !removed) close();
    else begin ??= { ...at };
    if (!added) at.studio += count;
    if (!removed) at.disk += count;
  }
  close();
  return hunks;
}

/** The text in which every hunk is as its side has it: `push` disk's, `pull` Studio's. Lines end in `\n`. */
export function mergeHunks(
  disk: string,
  studio: string,
  hunks: readonly (Hunk & { readonly choice: Direction })[],
): string {
  const [left, right] = [linesOf(studio), linesOf(disk)];
  const merged: string[] = [];
  let next = 0;
  for (const hunk of hunks) {
    merged.push(...right.slice(next, hunk.disk.start));
    const [lines, range] = hunk.choice === 'push' ? [right, hunk.disk] : [left, hunk.studio];
    merged.push(...lines.slice(range.start, range.start + range.count));
    next = hunk.disk.start + hunk.disk.count;
  }
  return [...merged, ...right.slice(next)].join('\n');
}
