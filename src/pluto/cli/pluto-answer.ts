import type { Finding } from '../session/findings.ts';

/** The result of a command. */
export interface PlutoAnswer {
  readonly isDone: boolean;
  /** The line that `--json` prints. */
  readonly json: object;
  /** Output lines for a person. */
  readonly words: readonly string[];
  readonly findings?: readonly Finding[];
  /** Overrides the exit code of `isDone`. */
  readonly exitCode?: number;
}
