import type { Schedules } from '../../ports/program-runner.ts';
import type { OutputLengths, SharedOutput } from './output.ts';
import type { ProgramFileAccess } from './program-files.ts';

/** What the thread of a program is started with. */
export interface ProgramJob {
  /** What `pluto/program/backend` has made: the body of a function. */
  readonly program: string;
  /** `undefined`: it is run from its start. */
  readonly tests: { readonly filter: string } | undefined;
  /** `undefined`: those of the process. */
  readonly output: SharedOutput | undefined;
  readonly input: Uint8Array | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reach: ProgramFileAccess;
}

/** What the thread says. */
export type ProgramMessage =
  /** Everything is loaded: what comes now is the time of the program. */
  | { readonly kind: 'begun' }
  /** When tests are run, before the first of them. */
  | { readonly kind: 'tests'; readonly names: readonly string[] }
  /** One test. `problem` is empty when it passed; `printed` says how many bytes there were of each output then. */
  | {
      readonly kind: 'ended';
      readonly name: string;
      readonly passed: boolean;
      readonly problem: string;
      readonly schedules: Schedules | undefined;
      readonly printed: OutputLengths;
    }
  /** There was no more room for output. */
  | { readonly kind: 'outputFull' }
  | { readonly kind: 'done'; readonly exitCode: number };
