import {
  exactProgramOutput,
  type SafeTerminal,
  safeTerminal,
  safeTerminalLine,
  withColors,
  withLineEnd,
} from '../base/safe-text.ts';
import type { Terminal } from './review/terminal.ts';

/** The interface of a command to its process; `src/cli/process-io.ts` implements it for the real one, tests in memory. */
export interface CliIo {
  /**
   * Writes one line to standard output: the result, for a person or a program.
   *
   * @param kind absent: a line for a person. Control characters and line feeds are escaped, and the line is cut after a few thousand
   *   characters, so that no name can look like another line. `'data'`: JSON, or a text of several lines that another program reads; control
   *   characters other than line feeds are escaped. `'program'`: the output of a program that the person runs, unchanged
   */
  out(line: string, kind?: 'data' | 'program'): void;
  /** Writes one line to standard error: log, progress, errors. @param kind as of `out` */
  err(line: string, kind?: 'data'): void;
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

/** Escapes every line before it is written. Calls `isColored` when a line is written, not before, because opening a stream takes time. */
export const createCliOutput = (
  standardOut: WriteTerminal,
  standardError: WriteTerminal,
  isColored = () => false,
): Pick<CliIo, 'out' | 'err'> => ({
  out: (line, kind) =>
    standardOut(kind === undefined ? withLineEnd(safeTerminalLine(line)) : output[kind](`${line}\n`)),
  err: (line, kind) => {
    const text = kind === 'data' ? safeTerminal(`${line}\n`) : withLineEnd(safeTerminalLine(line));
    standardError(isColored() ? withColors(text) : text);
  },
});

const output = { data: safeTerminal, program: exactProgramOutput } as const;

/** Exit codes of all commands. `usage`: wrong arguments. `different`: the two sides of a comparison differ. */
export const exitCodes = { done: 0, failed: 1, usage: 2, different: 3 } as const;
