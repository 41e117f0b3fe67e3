import { inspect } from 'node:util';
import { safeLines } from '../base/safe-text.ts';
import type { LogOutputChannel } from 'vscode';
import type { LogFields, Logger } from '../ports/logger.ts';

/** Writes to the output channel, through `redact`. VS Code filters by level ("Developer: Set Log Level"). */
export function createLogger(
  channel: Pick<LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>,
  redact: (line: string) => string,
  name = '',
): Logger {
  const line = (message: string, fields?: LogFields): string =>
    redact(safeLines(`${name && `[${name}] `}${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`));
  return {
    debug: (message, fields) => channel.debug(line(message, fields)),
    info: (message, fields) => channel.info(line(message, fields)),
    warn: (message, fields) => channel.warn(line(message, fields)),
    error(message, cause, fields) {
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : cause === undefined ? '' : inspect(cause);
      channel.error(line(why === '' ? message : `${message}: ${why}`, fields));
    },
    child: child => createLogger(channel, redact, name === '' ? child : `${name}.${child}`),
  };
}
