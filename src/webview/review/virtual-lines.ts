/** Lines beyond both edges of what is in sight, so that a slow frame shows no gap. */
const OVERSCAN = 8;

/**
 * Which of `total` lines are drawn, ascending: those in sight, and the active one wherever it is, because the keyboard focus is in it.
 * Pixels.
 */
export function drawnLines(
  total: number,
  top: number,
  height: number,
  rowHeight: number,
  active: number | undefined,
): readonly number[] {
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const end = Math.min(total, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (active === undefined || active >= total || (active >= first && active < end)) return drawn;
  return active < first ? [active, ...drawn] : [...drawn, active];
}
