import type { Finding } from '../session/findings.ts';

/** The result of a command. */
export interface PlutoAnswer {
  readonly isDone: boolean;
  /** The line that `--json` prints. */
  readonly json: object;
  /** Output lines for a person. */
  readonly outputLines: readonly string[];
  readonly findings?: readonly Finding[];
  /** Default: 0 if `isDone`, otherwise 1. */
  readonly exitCode?: number;
}
