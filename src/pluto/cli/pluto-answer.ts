import type { Finding } from '../session/findings.ts';

/** The result of a command. */
export interface PlutoAnswer {
  readonly isDone: boolean;
  /** The line that `--json` prints. */
  readonly json: object;
  /** Output lines for a person, or the text of a program or its output. */
  readonly outputLines: readonly string[];
  /** Whether `outputLines` is printed exactly. */
  readonly isProgramOutput?: boolean;
  readonly findings?: readonly Finding[];
  /** Default: 0 if `isDone`, otherwise 1. */
  readonly exitCode?: number;
}

/** The answer for a program that does not compile. */
export const refused = (findings: readonly Finding[], more: object): PlutoAnswer => ({
  isDone: false,
  json: { success: false, ...more, diagnostics: [] },
  outputLines: [],
  findings,
});
