export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** `error`: somebody should look; `warn`: we degraded and carried on; `info`: lifecycle; `debug`: decisions with their inputs. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, cause?: unknown, fields?: LogFields): void;
  /** A logger whose lines start with `[name]`. */
  child(name: string): Logger;
}
