import type { Reason } from '../../protocol/reason.ts';
import type { ReviewStrings } from '../../protocol/review-strings.ts';
import { fill } from '../fill.ts';

/** The text of a reason; its code if the page has no text for it. */
export function formatReason({ why }: Pick<ReviewStrings, 'why'>, { code, args }: Reason): string {
  const words = Object.hasOwn(why, code) ? why[code] : undefined;
  return fill(words ?? code, ...args.map(arg => (typeof arg === 'object' ? formatReason({ why }, arg) : arg)));
}
