import { AppError } from '../../base/errors.ts';

/** For a person who clicked: what went wrong and the next step. The catalogue's words about arguments are for agents. */
export function personSentence(failure: AppError): string {
  if (!AppError.is(failure, 'INVALID_INPUT')) return `${failure.message} ${failure.hint}`;
  const { problems } = failure.details;
  return `${problems.charAt(0).toUpperCase()}${problems.slice(1)}${problems.endsWith('.') ? '' : '.'}`;
}
