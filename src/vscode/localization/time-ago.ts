import type { Localize } from './localize.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Kept, because creating one takes longer than all other work of a redraw, and the first one 10 ms. */
const formats = new Map<string, Intl.RelativeTimeFormat>();

function formatOf(locale: string): Intl.RelativeTimeFormat {
  const format = formats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  formats.set(locale, format);
  return format;
}

/** `5 minutes ago`, or `just now`; both times in milliseconds since the epoch. */
export function timeAgo(at: number, now: number, locale: string, { t }: Localize): string {
  const past = Math.max(0, now - at);
  const found = units.find(([, length]) => past >= length);
  if (found === undefined) return t('just now');
  const [unit, ms] = found;
  return formatOf(locale).format(-Math.floor(past / ms), unit);
}
