import { plural } from '../../base/plural.ts';
import type { Localize } from './localize.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * `5 minutes ago`, `yesterday` or `just now`; both times in milliseconds since the epoch. Has its own texts, because `Intl` blocks its
 * thread for 30 ms when it loads its language data.
 */
export function timeAgo(at: number, now: number, { t }: Localize): string {
  const past = Math.max(0, now - at);
  const count = (length: number): number => Math.floor(past / length);
  if (past < MINUTE) return t('just now');
  if (past < HOUR) return plural(count(MINUTE), t('1 minute ago'), t('{0} minutes ago', count(MINUTE)));
  if (past < DAY) return plural(count(HOUR), t('1 hour ago'), t('{0} hours ago', count(HOUR)));
  return plural(count(DAY), t('yesterday'), t('{0} days ago', count(DAY)));
}
