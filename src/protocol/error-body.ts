import type { NextSteps } from '../base/error-row.ts';
import { type AppError, errorCatalog, type ErrorCode, nextSteps, withoutFullStops } from '../base/errors.ts';
import { shortened } from '../base/safe-text.ts';
import { withFinalPeriod, say, type Sentence, plainSentence } from '../base/sentence.ts';
import type { ErrorBody } from './sync-result.ts';

/** Characters of a message and of a text in its details. Longer ones repeat a long argument of the caller, and would fill its context. */
const MAX_TEXT_LENGTH = 2_000;

/** Converts a catalog error to its wire form: the code, the message, the next step and the details. */
export function toErrorBody(error: AppError): ErrorBody {
  const details = Object.entries(error.details).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? shortened(value, MAX_TEXT_LENGTH) : value,
  ]);
  return {
    code: error.code,
    message: shortened(error.message, MAX_TEXT_LENGTH),
    hint: error.hint,
    retry: error.retry,
    // Whether the same call, unchanged, may succeed later.
    retryable: error.retry !== 'no',
    details: Object.fromEntries(details),
  };
}

type Failure = Pick<ErrorBody, 'code' | 'message' | 'hint'> & { readonly details?: object | undefined };

/** The message and next step for an agent. */
export const forAgent = ({ message, hint }: Failure): Sentence =>
  say`${withFinalPeriod(plainSentence(message))} ${hint}`;

/** The next step for a user of the command line; `hint` is for agents. */
export const commandHint = ({ hint, ...failure }: Omit<Failure, 'message'>): string =>
  stepsOf(failure)?.commandHint ?? hint;

/** The message and next step for a user of the command line. */
export const forCommandLine = (failure: Failure): Sentence =>
  say`${withFinalPeriod(plainSentence(failure.message))} ${commandHint(failure)}`;

/** The message and next step for a person in VS Code, both translatable. */
export function forPerson(failure: Failure): Sentence {
  const { code, hint, details } = failure;
  const steps = stepsOf(failure);
  const sentence = describeFailure(failure);
  // The catalog's message about arguments is for agents.
  if (code === 'INVALID_INPUT' && details !== undefined) return sentence;
  return steps === undefined
    ? say`${withFinalPeriod(sentence)} ${hint}`
    : say`${withFinalPeriod(sentence)} ${plainSentence(steps.personHint ?? steps.hint)}`;
}

/** The message for a person, without the next step. */
export function describeFailure({ code, message, details }: Failure): Sentence {
  const row = rowOf(code);
  if (row === undefined || details === undefined) return plainSentence(message);
  if (code === 'INVALID_INPUT' && 'problems' in details)
    return withFinalPeriod(plainSentence(asSentence(String(details.problems))));
  return row.message(withoutFullStops(details) as never);
}

const rowOf = (code: string) => (Object.hasOwn(errorCatalog, code) ? errorCatalog[code as ErrorCode] : undefined);

/** The next steps of a known failure. Without its details, those that most failures with the code have. */
function stepsOf({ code, details }: Pick<Failure, 'code' | 'details'>): NextSteps | undefined {
  const row = rowOf(code);
  return details === undefined || row === undefined ? row : nextSteps(code as ErrorCode, details as never);
}

/** Capitalizes a problem. Problems start in lower case, because they usually follow a colon. */
const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
