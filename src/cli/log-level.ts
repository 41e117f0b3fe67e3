import { createLineLogger, type LogLevel } from '../adapters/node/logger.ts';
import type { Logger } from '../ports/logger.ts';
import type { CliIo } from './io.ts';

/** The log of a command on standard error. @param otherwise the level without `ATLAS_BRIDGE_LOG` and `-v` */
export function commandLog(io: CliIo, otherwise: LogLevel, name?: string): Logger {
  const { least, parts } = readLogFilter(io.env['ATLAS_BRIDGE_LOG'] ?? '', otherwise);
  return createLineLogger(line => io.err(line), least, name, parts);
}

/** The value of `ATLAS_BRIDGE_LOG` after `-v`: the more verbose of both. */
export function withVerbosity(filter: string | undefined, verbosity: number): string | undefined {
  if (verbosity === 0) return filter;
  const own = verbosity === 1 ? 'info' : 'debug';
  return filter === undefined || filter === '' ? own : `${filter},${own}`;
}

const levels: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  off: 'off',
};

/** Reads `info` or `warn,watcher=debug`: the last level without a name applies to the rest. Unknown words are ignored. */
function readLogFilter(
  text: string,
  otherwise: LogLevel,
): { readonly least: LogLevel; readonly parts: ReadonlyMap<string, LogLevel> } {
  let least = otherwise;
  const parts = new Map<string, LogLevel>();
  for (const each of text.toLowerCase().split(',')) {
    const [name = '', value] = each.trim().split('=');
    const level = levels[value ?? name];
    if (level === undefined) continue;
    if (value === undefined) least = level;
    else parts.set(name, level);
  }
  return { least, parts };
}
