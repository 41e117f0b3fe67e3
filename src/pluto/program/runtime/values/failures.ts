import type { ErrorType, ErrorValue, Value } from '../../backend/contract.ts';

/** A raised Pluto error, thrown by `raise` and caught by `catch`. */
export class Raised extends Error {
  readonly value: ErrorValue;

  constructor(value: ErrorValue) {
    super(value.type.name);
    this.value = value;
  }
}

/** A failure that programs cannot catch. The message is printed to stderr, and the program ends with status 1. */
export class Failure extends Error {}

/** @throws Failure */
export function fail(line: string): never {
  throw new Failure(line);
}

/** @throws Raised */
export function raise(type: ErrorType, fields: readonly Value[]): never {
  throw new Raised({ type, fields });
}

/** The error that a handler receives. Rethrows anything that is not an error of the program. */
export function caught(thrown: unknown): ErrorValue {
  if (thrown instanceof Raised) return thrown.value;
  throw thrown;
}

const withMessage = (name: string): ErrorType => ({ name, fieldNames: ['message'], intFields: [] });

/** Errors that the runtime raises. */
export const runtimeErrors = {
  MathError: withMessage('MathError'),
  ChannelClosed: withMessage('ChannelClosed'),
  ChannelFull: withMessage('ChannelFull'),
  ChannelEmpty: withMessage('ChannelEmpty'),
  TaskCancelled: withMessage('TaskCancelled'),
} as const;

/** A new error of a power. */
export const negativeExponent = (): ErrorValue => ({ type: runtimeErrors.MathError, fields: ['negative exponent'] });
