import { AppError } from '../base/errors.ts';
import type { LogFields, Logger } from './logger.ts';

/** Logs an error of the catalog with its code, message and hint, and any other error with its stack. */
export function logFailure(log: Logger, message: string, error: unknown, fields: LogFields = {}): void {
  if (error instanceof AppError)
    log.info(message, { ...fields, code: error.code, reason: error.message, hint: error.hint });
  else log.error(message, error, fields);
}
