import { shortened } from '../../base/safe-text.ts';
import { utf8Length } from '../../base/utf8-length.ts';
import { type Reason, reasonOf, reasonText } from '../reason.ts';

/** Bytes of one reason in an ending. The disk space for an ending is reserved before its reasons are known, so they have a limit. */
export const MAX_REASON_BYTES = 512;
/** Characters of the text of a reason that is too long. */
const MAX_TEXT_LENGTH = 400;

/** Returns the bytes of a value in a record. */
export const recordedBytes = (value: unknown): number => utf8Length(JSON.stringify(value));

/** The reason as an ending records it: the start of its text if it is too long, such as words of Studio or a list of files. */
export function recordedReason(reason: Reason): Reason {
  if (recordedBytes(reason) <= MAX_REASON_BYTES) return reason;
  const text = reasonText(reason);
  let short = reasonOf('failure', shortened(text, MAX_TEXT_LENGTH));
  for (let length = MAX_TEXT_LENGTH; recordedBytes(short) > MAX_REASON_BYTES; length = Math.floor(length / 2))
    short = reasonOf('failure', shortened(text, length));
  return short;
}
