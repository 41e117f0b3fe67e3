const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** `2026-11-30 16:22` in the time zone of this machine, without language data, like `timeAgo`. */
export function localTime(at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}
