import type { Reason } from '../../protocol/reason.ts';
import type { ReviewStrings } from '../../protocol/review-strings.ts';

/** Replaces `{0}`, `{1}` in `template` by `values`. */
export const fill = (template: string, ...values: readonly (string | number)[]): string =>
  template.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));

/** Puts a reason into words; its code where the page has no words for it. */
export function formatReason({ why }: Pick<ReviewStrings, 'why'>, { code, args }: Reason): string {
  const words = Object.hasOwn(why, code) ? why[code] : undefined;
  return fill(words ?? code, ...args.map(arg => (typeof arg === 'object' ? formatReason({ why }, arg) : arg)));
}
