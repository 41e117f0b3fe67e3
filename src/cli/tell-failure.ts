import type { AppError } from '../base/errors.ts';
import { commandHint } from '../protocol/error-body.ts';
import type { CliIo } from './io.ts';

/** What went wrong, and the next step. */
export const tellFailure = (error: AppError, io: CliIo): void =>
  io.err(`atlas-bridge: ${error.message}\n${commandHint(error)}`);
