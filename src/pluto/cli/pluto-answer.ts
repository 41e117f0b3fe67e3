import type { Finding } from '../session/findings.ts';

/** What a command has come to. */
export interface PlutoAnswer {
  readonly isDone: boolean;
  /** The line that `--json` prints. */
  readonly json: object;
  /** Lines for a person; the text itself where that is what was asked for. */
  readonly words: readonly string[];
  readonly findings?: readonly Finding[];
  /** Another exit code than that of `isDone`. */
  readonly exitCode?: number;
}
