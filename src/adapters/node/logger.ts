import { inspect } from 'node:util';
import { safeLine, type SafeLines, safeLines } from '../../base/safe-text.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';
const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];

/**
 * A log with one line per message of level `minLevel` or higher. `write` gets the line without its line end.
 *
 * @param childLevels the levels of children with another level than `minLevel`, by name (`watcher`)
 */
export function createLineLogger(
  write: (line: SafeLines) => void,
  minLevel: LogLevel,
  name?: string,
  childLevels: ReadonlyMap<string, LogLevel> = new Map(),
): Logger {
  const log = (level: LogLevel, message: string, fields?: LogFields, cause?: unknown): void => {
    if (levels.indexOf(level) < levels.indexOf(minLevel)) return;
    const parts = [new Date().toISOString(), level.padEnd(5), ...(name === undefined ? [] : [`[${name}]`]), message];
    for (const [key, value] of Object.entries(fields ?? {}))
      if (value !== undefined) parts.push(`${key}=${typeof value === 'string' ? JSON.stringify(value) : value}`);
    // A message or stack with line ends must not look like several entries.
    write(safeLine(parts.join(' ').replaceAll('\n', '\\n')));
    if (cause !== undefined) write(safeLines(`  ${inspect(cause).replaceAll('\n', '\n  ')}`));
  };
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, cause, fields) => log('error', message, fields, cause),
    child: child => {
      const path = name === undefined ? child : `${name} ${child}`;
      return createLineLogger(write, childLevels.get(child) ?? minLevel, path, childLevels);
    },
  };
}
