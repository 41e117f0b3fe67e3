import type { Schedules } from '../../ports/program-runner.ts';
import type { OutputLengths, SharedOutput } from './output.ts';
import type { ProgramFileAccess } from './program-files.ts';

/** Stack size of a program. Recursion is common in programs. */
export const STACK_MB = 64;

/** Start data of a program thread. */
export interface ProgramJob {
  /** The function body from `pluto/program/backend`. */
  readonly program: string;
  /** `undefined`: run the program from its entry point. */
  readonly tests: { readonly filter: string } | undefined;
  /** Memory that another thread reads, the log of a program process, or the streams of the process. */
  readonly output: SharedOutput | 'log' | 'streams';
  /** `undefined`: the streams of the process. */
  readonly input: Uint8Array | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reach: ProgramFileAccess;
}

/** `ProgramJob` with the limits that the program itself observes. */
export type ProgramThreadJob = ProgramJob & { readonly heapMegabytes: number; readonly outputBytes: number };

/** Messages of a program thread. */
export type ProgramMessage =
  /** Everything is loaded; the program starts now. */
  | { readonly kind: 'begun' }
  /** In test runs, sent before the first test. */
  | { readonly kind: 'tests'; readonly names: readonly string[] }
  /** The result of a test. `problem` is empty if it passed; `printed` has the output lengths after it. */
  | {
      readonly kind: 'ended';
      readonly name: string;
      readonly passed: boolean;
      readonly problem: string;
      readonly schedules: Schedules | undefined;
      readonly places: readonly string[];
      readonly printed: OutputLengths;
    }
  /** The output limit was reached. */
  | { readonly kind: 'outputFull' }
  | { readonly kind: 'done'; readonly exitCode: number };
