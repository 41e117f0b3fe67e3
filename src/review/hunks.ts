import { plainText } from '../base/line-ends.ts';
import { diffArrays } from 'diff';
import type { Direction } from '../protocol/sync-request.ts';

/** `count` lines of a text, starting at the zero-based line `start`. */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** A range of lines that differs between the two texts. Lines between two hunks are equal on both sides. */
export interface Hunk {
  readonly disk: LineRange;
  readonly studio: LineRange;
}

/** Texts with more edited lines than this become a single hunk, because a precise diff would take too long. */
const MAX_EDITS = 1_000;

// The byte-order mark and line ends belong to the file and are not reviewed.
const linesOf = (text: string): readonly string[] => plainText(text).split('\n');

/** Finds the hunks in which `studio` and `disk` differ, from top to bottom. */
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

/** Merges both texts: takes each hunk from disk (`push`) or from Studio (`pull`). Lines end in `\n`. */
export function mergeHunks(
  disk: string,
  studio: string,
  hunks: readonly (Hunk & { readonly choice: Direction })[],
): string {
  const [left, right] = [linesOf(studio), linesOf(disk)];
  const merged: string[] = [];
  let next = 0;
  for (const hunk of hunks) {
    for (const line of right.slice(next, hunk.disk.start)) merged.push(line);
    const [lines, range] = hunk.choice === 'push' ? [right, hunk.disk] : [left, hunk.studio];
    for (const line of lines.slice(range.start, range.start + range.count)) merged.push(line);
    next = hunk.disk.start + hunk.disk.count;
  }
  return [...merged, ...right.slice(next)].join('\n');
}
