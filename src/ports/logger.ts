export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** `error`: needs attention; `warn`: degraded, but continued; `info`: lifecycle; `debug`: decisions with their inputs. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, cause: unknown, fields?: LogFields): void;
  /** A logger whose lines start with `[name]`. */
  child(name: string): Logger;
}
