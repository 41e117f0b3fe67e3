/** The limit that stopped a program. */
export interface StopReason {
  readonly budget: 'time' | 'memory' | 'output';
  /** In `unit`. */
  readonly limit: number;
  readonly unit: 'seconds' | 'megabytes' | 'bytes';
}

export interface ProgramRun {
  /** 0 to 255; `undefined` when it was stopped. */
  readonly exitCode: number | undefined;
  /** Output until the end or the stop. Invalid UTF-8 becomes U+FFFD. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped: StopReason | undefined;
}

/** The number of task orders that the `Exhaustive` scheduler tried, and whether these are all. */
export interface Schedules {
  readonly explored: number;
  readonly isComplete: boolean;
}

export interface TestVerdict {
  readonly name: string;
  readonly passed: boolean;
  /** Of a test that passed in every order. */
  readonly schedules?: Schedules | undefined;
  /** Where a test failed, innermost first: `main.pluto:3`. */
  readonly places?: readonly string[];
  /** Its output, and the reason of a failure. */
  readonly output: string;
}

export interface TestRun {
  /** In source order. If the run was stopped, the last one is the test that was running, which failed. */
  readonly verdicts: readonly TestVerdict[];
  /** The names of tests that did not start. */
  readonly notRun: readonly string[];
  readonly stopped: StopReason | undefined;
}

/** `slow-strings`: all except programs that read bytes of strings, which are faster in JavaScript there. */
export type WasmSupport = 'all' | 'slow-strings' | 'none';

/**
 * Runs compiled programs without network access. Programs of agents each have a process, limits for time, memory and output, and access to
 * the project folder and a temporary folder only.
 */
export interface ProgramRunner {
  /** Which WebAssembly of programs the engine runs; otherwise it runs their JavaScript. */
  readonly wasm: WasmSupport;
  /**
   * @param seconds wall-clock limit
   * @throws the abort reason of `signal`, which stops the program
   */
  run(
    program: string,
    options: { readonly stdin: string; readonly seconds: number },
    signal: AbortSignal,
  ): Promise<ProgramRun>;
  /**
   * @param filter runs only tests whose names contain it
   * @param seconds wall-clock limit for all tests; `undefined`: none
   */
  test(
    program: string,
    options: { readonly filter: string; readonly seconds: number | undefined },
    signal: AbortSignal,
  ): Promise<TestRun>;
  /** A script that defines `plutoStandalone.start(makeProgram)` and needs only Node. */
  standalone(): Promise<string>;
}
