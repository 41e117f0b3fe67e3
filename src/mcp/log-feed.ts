import { Emitter, type Event } from '../base/emitter.ts';
import type { LogFields, Logger } from '../ports/logger.ts';

/** One line of the log. */
export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  /** The part of the program; `undefined` for the program itself. */
  readonly logger: string | undefined;
  readonly message: string;
  readonly fields: LogFields;
}

/** Returns a logger that also fires an event for each line. Causes of errors stay in the log: they can contain whole texts. */
export function createLogFeed(log: Logger): { readonly log: Logger; readonly onDidLog: Event<LogEntry> } {
  const logged = new Emitter<LogEntry>();
  return { log: follow(log, undefined, logged), onDidLog: logged.event };
}

function follow(log: Logger, logger: string | undefined, logged: Emitter<LogEntry>): Logger {
  const fire = (level: LogEntry['level'], message: string, fields: LogFields = {}): void =>
    logged.fire({ level, logger, message, fields });
  return {
    debug(message, fields) {
      log.debug(message, fields);
      fire('debug', message, fields);
    },
    info(message, fields) {
      log.info(message, fields);
      fire('info', message, fields);
    },
    warn(message, fields) {
      log.warn(message, fields);
      fire('warning', message, fields);
    },
    error(message, cause, fields) {
      log.error(message, cause, fields);
      fire('error', message, fields);
    },
    child: name => follow(log.child(name), logger === undefined ? name : `${logger} ${name}`, logged),
  };
}
