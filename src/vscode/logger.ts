import { inspect } from 'node:util';
import { type SafeLines, safeLines } from '../base/safe-text.ts';
import type { LogFields, Logger } from '../ports/logger.ts';

/** An output channel of VS Code. */
export type LogSink = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (line: SafeLines) => void>>;

/** Writes to the output channel, through `redact`. VS Code filters by level ("Developer: Set Log Level"). */
export function createLogger(channel: LogSink, redact: (line: string) => string, name = ''): Logger {
  const line = (message: string, fields?: LogFields): SafeLines =>
    safeLines(redact(`${name && `[${name}] `}${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`));
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
