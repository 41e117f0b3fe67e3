/** Why a program was ended before its own end. */
export interface StopReason {
  readonly budget: 'time' | 'memory' | 'output';
  /** In `unit`. */
  readonly limit: number;
  readonly unit: 'seconds' | 'megabytes' | 'bytes';
}

export interface ProgramRun {
  /** 0 to 255; `undefined` when it was stopped. */
  readonly exitCode: number | undefined;
  /** Bytes that are no UTF-8 are U+FFFD; up to where it was stopped. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped: StopReason | undefined;
}

/** How far a test of the scheduler `Exhaustive` came: in how many orders its tasks took turns, and whether these were all there are. */
export interface Schedules {
  readonly explored: number;
  readonly isComplete: boolean;
}

export interface TestVerdict {
  readonly name: string;
  readonly passed: boolean;
  /** Only of one that passed in every order that was tried. */
  readonly schedules?: Schedules | undefined;
  /** What it printed, and why it failed. */
  readonly output: string;
}

export interface TestRun {
  /** In the order of the text. Of a run that was stopped: up to the test that was running, which has failed. */
  readonly verdicts: readonly TestVerdict[];
  /** Names of those that were not begun. */
  readonly notRun: readonly string[];
  readonly stopped: StopReason | undefined;
}

/**
 * Runs compiled programs: each in a thread of its own, without network, and stopped when it takes more time, memory or output than it may.
 * An agent's reach the project's folder and a temporary one.
 */
export interface ProgramRunner {
  /**
   * @param seconds wall-clock time that it may take
   * @throws what `signal` aborts with; the program is stopped then
   */
  run(
    program: string,
    options: { readonly stdin: string; readonly seconds: number },
    signal: AbortSignal,
  ): Promise<ProgramRun>;
  /**
   * @param filter part of the names of tests that are run; `''`: all
   * @param seconds for all of them together; `undefined`: as many as they take
   */
  test(
    program: string,
    options: { readonly filter: string; readonly seconds: number | undefined },
    signal: AbortSignal,
  ): Promise<TestRun>;
  /** A script which defines `plutoStandalone.start(makeProgram)`, and needs nothing but Node. */
  standalone(): Promise<string>;
}
