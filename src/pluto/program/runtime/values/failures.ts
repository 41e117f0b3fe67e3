import type { ErrorType, ErrorValue, Value } from '../../backend/contract.ts';

/** An error of the language that is on its way: what `raise` starts and `catch` ends. */
export class Raised extends Error {
  readonly value: ErrorValue;

  constructor(value: ErrorValue) {
    super(value.type.name);
    this.value = value;
  }
}

/** Something that no program can catch: the message goes to the standard error output, and the program ends with status 1. */
export class Failure extends Error {}

/** @throws Failure */
export function fail(line: string): never {
  throw new Failure(line);
}

/** @throws Raised */
export function raise(type: ErrorType, fields: readonly Value[]): never {
  throw new Raised({ type, fields });
}

/** What a handler gets. @throws what is no error of the program */
export function caught(thrown: unknown): ErrorValue {
  if (thrown instanceof Raised) return thrown.value;
  throw thrown;
}

const withMessage = (name: string): ErrorType => ({ name, fieldNames: ['message'] });

/** What the runtime raises by itself. */
export const runtimeErrors = {
  MathError: withMessage('MathError'),
  ChannelClosed: withMessage('ChannelClosed'),
  ChannelFull: withMessage('ChannelFull'),
  ChannelEmpty: withMessage('ChannelEmpty'),
  TaskCancelled: withMessage('TaskCancelled'),
} as const;
