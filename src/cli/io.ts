/** What a command of the CLI has to do with the outside; `src/cli.ts` fills it from the process, tests from memory. */
export interface CliIo {
  /** One line for whoever reads the answer: a person, or a program with `--json`. */
  out(line: string): void;
  /** One line for the person who watches: log, progress, refusals. */
  err(line: string): void;
  /** Where relative paths start. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process is asked to end (SIGINT, SIGTERM). */
  readonly stop: AbortSignal;
  /** Version of this program. */
  readonly version: string;
}

/** What every command answers with. `usage`: it was called in a way that it does not know. `different`: two sides that were compared. */
export const exitCodes = { done: 0, failed: 1, usage: 2, different: 3 } as const;
