import { withUnixLineEnds } from '../base/line-ends.ts';
import type { DiffTexts } from '../ports/review-surface.ts';
import { findHunks } from './hunks.ts';

const CONTEXT_LINES = 2;

/** The differing lines with some context: `-` in Studio, `+` on disk. The lines are as they are in the texts. */
export function diffLines({ disk, studio }: Pick<DiffTexts, 'disk' | 'studio'>): readonly string[] {
  const linesOf = (text: string): readonly string[] => withUnixLineEnds(text).split('\n');
  const left = linesOf(studio?.text ?? '');
  const right = linesOf(disk?.text ?? '');
  if (studio === undefined) return right.map(line => `+ ${line}`);
  if (disk === undefined) return left.map(line => `- ${line}`);
  const lines: string[] = [];
  for (const { studio: from, disk: to } of findHunks(disk.text, studio.text)) {
    lines.push(`@ ${to.start + 1}`);
    lines.push(...right.slice(Math.max(0, to.start - CONTEXT_LINES), to.start).map(line => `  ${line}`));
    for (const line of left.slice(from.start, from.start + from.count)) lines.push(`- ${line}`);
    for (const line of right.slice(to.start, to.start + to.count)) lines.push(`+ ${line}`);
    const end = to.start + to.count;
    lines.push(...right.slice(end, end + CONTEXT_LINES).map(line => `  ${line}`));
  }
  return lines;
}
