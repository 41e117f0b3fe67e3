import { type Reason, reasonOf, ReasonOrText } from '../reason.ts';
import { studioReasons } from '../studio-reasons.ts';

/** In `welcome`: the bridge reads reasons as `{code, args}`. For a bridge without it, the plugin sends text. */
export const reasonCodesCapability = 'reasonCodes';

const rows: Readonly<Record<string, (...args: never[]) => unknown>> = studioReasons;

/**
 * A reason as a Studio plugin reports it. A plugin is not trusted: everything but a reason of `studioReasons` with its arguments is quoted
 * and never interpreted, such as the text of an older or an unmodified plugin, or a code of a newer one.
 */
export const ReportedReason = ReasonOrText.transform((reported): Reason => {
  if (typeof reported === 'string') return reasonOf('quoted', reported);
  return isKnown(reported) ? reported : reasonOf('quoted', wordsOf(reported));
});

const isKnown = ({ code, args }: Reason): boolean =>
  Object.hasOwn(rows, code) &&
  rows[code]?.length === args.length &&
  args.every(arg => typeof arg !== 'object' || isKnown(arg));

const wordsOf = ({ code, args }: Reason): string =>
  [code, ...args.map(arg => (typeof arg === 'object' ? wordsOf(arg) : String(arg)))].join(' ');
