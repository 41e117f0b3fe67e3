import { createLineLogger, type LogLevel } from '../adapters/node/logger.ts';
import type { Logger } from '../ports/logger.ts';
import type { CliIo } from './io.ts';

/** The log of a command on standard error. @param otherwise the level without `ATLAS_BRIDGE_LOG` and `-v` */
export function commandLog(io: CliIo, otherwise: LogLevel, name?: string): Logger {
  const { minLevel = otherwise, parts } = readLogFilter(io.env['ATLAS_BRIDGE_LOG'] ?? '');
  // The lines of a cause are indented.
  const write = (text: string): void => text.split('\n').forEach(line => io.err(line));
  return createLineLogger(write, minLevel, name, parts);
}

/** The value of `ATLAS_BRIDGE_LOG` after `-v`: the more verbose of both. */
export function withVerbosity(filter: string | undefined, verbosity: number): string | undefined {
  if (verbosity === 0) return filter;
  if (filter === undefined || filter === '') return verbosity === 1 ? 'info' : 'debug';
  const own = verbosity === 1 && readLogFilter(filter).minLevel !== 'debug' ? 'info' : 'debug';
  return `${filter},${own}`;
}

/** Whether the log shows everything, also of parts that the filter does not name. */
export const isDebugFilter = (filter: string | undefined): boolean => readLogFilter(filter ?? '').minLevel === 'debug';

/** A warning about the words of `ATLAS_BRIDGE_LOG` that have no effect; `undefined` if all have one. */
export function unreadLogFilter(filter: string | undefined): string | undefined {
  const { unread } = readLogFilter(filter ?? '');
  return unread.length === 0
    ? undefined
    : `warning: ignored '${unread.join(',')}' in ATLAS_BRIDGE_LOG (${Object.keys(levels).join(', ')}; for one part of the program: watcher=debug)`;
}

const levels: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  off: 'off',
};

interface LogFilter {
  /** The last level without a name, which applies to all other parts. */
  readonly minLevel?: LogLevel;
  /** The levels of parts of the program, by name. */
  readonly parts: ReadonlyMap<string, LogLevel>;
  readonly unread: readonly string[];
}

/** Reads `info` or `warn,watcher=debug`. */
function readLogFilter(text: string): LogFilter {
  let minLevel: LogLevel | undefined;
  const parts = new Map<string, LogLevel>();
  const unread: string[] = [];
  for (const each of text.toLowerCase().split(',')) {
    const word = each.trim();
    if (word === '') continue;
    const [name = '', value] = word.split('=');
    const key = value ?? name;
    const level = Object.hasOwn(levels, key) ? levels[key] : undefined;
    if (level === undefined || name === '') unread.push(word);
    else if (value === undefined) minLevel = level;
    else parts.set(name, level);
  }
  return { ...(minLevel && { minLevel }), parts, unread };
}
