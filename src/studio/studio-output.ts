import type { Logger } from '../ports/logger.ts';
import type { RobloxLog } from '../protocol/studio/stream.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Enum.MessageType: output, info, warning, error. */
const byMessageType: readonly Level[] = ['debug', 'info', 'warn', 'error'];
/** Levels by the prefix of plugin log lines, which have no level in Studio's console. */
const byPrefix: Readonly<Record<string, Level>> = { Trace: 'debug', Debug: 'debug', Info: 'info', Warn: 'warn' };

/** Logs a line of Studio's console at its level there. */
export function logStudioOutput({ message, level }: RobloxLog, log: Logger): void {
  const [, prefix = '', rest = message] = /^\[Rojo-(\w+)\] (.*)$/s.exec(message) ?? [];
  const at = byPrefix[prefix] ?? byMessageType[level] ?? 'debug';
  const line = byPrefix[prefix] === undefined ? message : rest;
  if (at === 'error') log.error('Studio output', undefined, { line });
  else log[at]('Studio output', { line });
}
