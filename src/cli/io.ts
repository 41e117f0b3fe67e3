import { exactProgramOutput, type SafeTerminal, safeTerminal, withColors } from '../base/safe-text.ts';
import type { Terminal } from './review/terminal.ts';

/** What a command needs from its process; `src/cli/main.ts` fills it from the real one, tests from memory. */
export interface CliIo {
  /**
   * Writes one line to standard output: the result, for a person or, with `--json`, a program. Only a line of `'program'`, the output of a
   * program that the person runs, is written exactly; control characters of other lines are escaped.
   */
  out(line: string, of?: 'program'): void;
  /** Writes one line to standard error: log, progress, errors. */
  err(line: string): void;
  /** Where relative paths start. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts on SIGINT and SIGTERM. */
  readonly stop: AbortSignal;
  /** The terminal of a person; `undefined` without one. */
  readonly terminal?: Terminal | undefined;
  /** Version of this program. */
  readonly version: string;
}

/** Writes to a stream that a terminal may show. */
export type WriteTerminal = (text: SafeTerminal) => void;

/** Escapes the control characters of every line, and writes it. */
export const createCliOutput = (
  standardOut: WriteTerminal,
  standardError: WriteTerminal,
  isColored = false,
): Pick<CliIo, 'out' | 'err'> => ({
  out: (line, of) => standardOut(of === 'program' ? exactProgramOutput(`${line}\n`) : safeTerminal(`${line}\n`)),
  err: line => {
    const text = safeTerminal(`${line}\n`);
    standardError(isColored ? withColors(text) : text);
  },
});

/** Exit codes of all commands. `usage`: wrong arguments. `different`: the two sides of a comparison differ. */
export const exitCodes = { done: 0, failed: 1, usage: 2, different: 3 } as const;
