/** Extra lines above and below the visible ones, so that a slow frame shows no gap. */
const OVERSCAN = 8;

/**
 * Selects the indexes of the lines to render, ascending: the visible ones, and the active one, because it has the keyboard focus.
 * All sizes are in pixels.
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
