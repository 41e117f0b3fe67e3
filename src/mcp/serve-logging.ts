import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LoggingLevelSchema, SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Event } from '../base/emitter.ts';
import type { LogEntry } from './log-feed.ts';

const severity = (level: string): number => LoggingLevelSchema.options.findIndex(one => one === level);

/** Sends the log to the client from the level that the client sets; sends nothing until then. Dispose it when the client has disconnected. */
export function serveLogging(server: Server, onDidLog: Event<LogEntry>): Disposable {
  let minSeverity: number | undefined;
  server.setRequestHandler(SetLevelRequestSchema, ({ params: { level } }) => {
    minSeverity = severity(level);
    return {};
  });
  return onDidLog(({ level, logger, message, fields }) => {
    if (minSeverity === undefined || severity(level) < minSeverity) return;
    const data = { message, ...fields };
    // Logging a failure would send that line again, and a disconnected client needs no log.
    void server.sendLoggingMessage({ level, data, ...(logger !== undefined && { logger }) }).catch(() => undefined);
  });
}
