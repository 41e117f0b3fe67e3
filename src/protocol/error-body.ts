import { type AppError, errorCatalogue, type ErrorCode, withoutFullStops } from '../base/errors.ts';
import { ended, say, type Sentence, whole } from '../base/sentence.ts';
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

type Failure = Pick<ErrorBody, 'code' | 'message' | 'hint'> & { readonly details?: object | undefined };

/** As an agent is told it. */
export const forAgent = ({ message, hint }: Failure): Sentence => say`${ended(whole(message))} ${hint}`;

/** The next step of whoever called `atlas-bridge`, where `hint` is for agents. */
export const commandHint = ({ code, hint }: Pick<Failure, 'code' | 'hint'>): string => rowOf(code)?.commandHint ?? hint;

/** As whoever called `atlas-bridge` is told it. */
export const forCommandLine = (failure: Failure): Sentence =>
  say`${ended(whole(failure.message))} ${commandHint(failure)}`;

/** As a person in VS Code is told it: what went wrong and their next step, both of which a translation can find. */
export function forPerson(failure: Failure): Sentence {
  const { code, hint, details } = failure;
  const row = rowOf(code);
  const sentence = describeFailure(failure);
  // The catalogue's words about arguments are for agents.
  if (code === 'INVALID_INPUT' && details !== undefined) return sentence;
  return row === undefined
    ? say`${ended(sentence)} ${hint}`
    : say`${ended(sentence)} ${whole(row.personHint ?? row.hint)}`;
}

/** The same without the next step. */
export function describeFailure({ code, message, details }: Failure): Sentence {
  const row = rowOf(code);
  if (row === undefined || details === undefined) return whole(message);
  if (code === 'INVALID_INPUT' && 'problems' in details) return ended(whole(asSentence(String(details.problems))));
  return row.message(withoutFullStops(details) as never);
}

const rowOf = (code: string) => (Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode] : undefined);

/** Problems begin small, because they follow a colon elsewhere. */
const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
