import { inspect } from 'node:util';
import { type SafeLines, safeLines } from '../base/safe-text.ts';
import type { LogFields, Logger } from '../ports/logger.ts';

/** An output channel of VS Code. */
export type LogSink = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (line: SafeLines) => void>>;

/** Writes to the output channel, through `redact`. VS Code filters by level ("Developer: Set Log Level"). Never throws. */
export function createLogger(channel: LogSink, redact: (line: string) => string, name = ''): Logger {
  const line = (message: string, fields?: LogFields): SafeLines =>
    safeLines(redact(`${name && `[${name}] `}${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`));
  const write = (level: keyof LogSink, text: SafeLines): void => {
    try {
      channel[level](text);
    } catch {
      // VS Code disposes the channel while `deactivate` runs, which would otherwise stop in the middle.
    }
  };
  return {
    debug: (message, fields) => write('debug', line(message, fields)),
    info: (message, fields) => write('info', line(message, fields)),
    warn: (message, fields) => write('warn', line(message, fields)),
    error(message, cause, fields) {
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : cause === undefined ? '' : inspect(cause);
      write('error', line(why === '' ? message : `${message}: ${why}`, fields));
    },
    child: child => createLogger(channel, redact, name === '' ? child : `${name}.${child}`),
  };
}
