import type { JournalLimits } from '../../../ports/journal-store.ts';
import type { Segment, SegmentIndex } from './segments.ts';

/** Number of newest entries that always stay, whatever the clock says. */
const MIN_KEPT_ENTRIES = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The segments beyond the limits, oldest first. Keeps the newest segment, segments of entries without an ending, and segments with notes
 * or endings of entries that stay.
 */
export function expiredSegments(
  index: Pick<SegmentIndex, 'segments' | 'entries'>,
  { maxBytes, maxDays }: JournalLimits,
  now: number,
): readonly Segment[] {
  const entries = index.entries();
  const open = new Set(entries.filter(({ ending }) => ending === undefined).map(({ segment }) => segment));
  const young = new Set(entries.slice(0, MIN_KEPT_ENTRIES).map(({ segment }) => segment));
  const beyond = new Set<Segment>();
  let bytes = 0;
  for (const [position, segment] of index.segments.toReversed().entries()) {
    bytes += segment.size;
    const isOld = now - timeOf(segment.day) > maxDays * DAY_MS && !young.has(segment);
    if (position === 0 || segment === entries[0]?.segment || open.has(segment) || !(isOld || bytes > maxBytes))
      continue;
    beyond.add(segment);
    bytes -= segment.size;
  }
  const kept = new Set(entries.filter(({ segment }) => !beyond.has(segment)).map(({ id }) => id));
  return index.segments.filter(
    segment => beyond.has(segment) && !Array.from(segment.referred).some(id => kept.has(id)),
  );
}

const timeOf = (day: string): number => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T23:59:59Z`);
