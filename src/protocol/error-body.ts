import type { AppError } from '../base/errors.ts';
import type { ErrorBody } from './sync.ts';

/** A failure of the catalogue as it leaves us: code, sentence, next step, and what the sentence was made from. */
export function toErrorBody(error: AppError): ErrorBody {
  return {
    code: error.code,
    message: error.message,
    hint: error.hint,
    retry: error.retry,
    // Whether the same call may succeed later, without anything being changed in it.
    retryable: error.retry !== 'no',
    details: { ...error.details },
  };
}
