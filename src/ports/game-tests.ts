import type { GameTestResult, GameTestTotals } from '../protocol/game-tests.ts';

/** The tests to run. */
export interface GameTestQuery {
  /** Absolute path of the project file or its folder. */
  readonly project: string;
  /** Runs only tests whose name (`file > block > test`) contains one of these; empty for all. */
  readonly filters: readonly string[];
}

/** The end of a test run. A run with failed tests still ends normally. */
export type GameTestOutcome =
  | { readonly ok: true; readonly totals: GameTestTotals }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string; readonly hint: string } };

/** Runs the tests of a game in headless Studio, outside of this process. */
export interface GameTestRunner {
  /**
   * Resolves when all tests have ended, or with the failure CANCELLED after `signal` aborted. File names are relative to the folder of the
   * project.
   *
   * @throws Error when the program that runs the tests crashes
   */
  run(
    query: GameTestQuery,
    signal: AbortSignal,
    observer: {
      readonly onStarted?: (test: Pick<GameTestResult, 'file' | 'names' | 'line'>) => void;
      readonly onResult: (result: GameTestResult) => void;
    },
  ): Promise<GameTestOutcome>;
}
