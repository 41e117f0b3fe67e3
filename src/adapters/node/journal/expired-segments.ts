import type { JournalLimits } from '../../../ports/journal-store.ts';
import type { Segment, SegmentIndex } from './segments.ts';

/** Number of newest entries that always stay, whatever the clock says. */
const MIN_KEPT_ENTRIES = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The segments beyond the limits, oldest first. Keeps the newest segment, segments of entries without an ending, segments with notes or
 * endings of entries that stay, and damaged segments that may have had the ending of an open entry: without the damage, it would be
 * recovered.
 */
export function expiredSegments(
  index: Pick<SegmentIndex, 'segments' | 'entries' | 'openSegments'>,
  { maxBytes, maxDays }: JournalLimits,
  now: number,
): readonly Segment[] {
  const open = index.openSegments();
  const oldestOpen = Math.min(...open);
  const young = new Set<Segment>();
  let newest: Segment | undefined;
  let count = 0;
  for (const { record } of index.entries()) {
    newest ??= record.segment;
    young.add(record.segment);
    count += 1;
    if (count === MIN_KEPT_ENTRIES) break;
  }
  const beyond = new Set<Segment>();
  let bytes = 0;
  for (const [position, segment] of index.segments.toReversed().entries()) {
    bytes += segment.size;
    const isOld = now - timeOf(segment.day) > maxDays * DAY_MS && !young.has(segment);
    const isNeeded = open.has(segment.number) || (segment.damage.size > 0 && segment.number > oldestOpen);
    if (position === 0 || segment === newest || isNeeded || !(isOld || bytes > maxBytes)) continue;
    beyond.add(segment);
    bytes -= segment.size;
  }
  // A segment that stays keeps those with its notes and endings. Their entries may have endings in further ones.
  const kept = new Set(index.segments.flatMap(segment => (beyond.has(segment) ? [] : [segment.number])));
  for (let size = -1; size < kept.size;) {
    size = kept.size;
    for (const segment of beyond) {
      if (!Array.from(segment.referred).some(number => kept.has(number))) continue;
      beyond.delete(segment);
      kept.add(segment.number);
    }
  }
  return index.segments.filter(segment => beyond.has(segment));
}

const timeOf = (day: string): number => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T23:59:59Z`);
