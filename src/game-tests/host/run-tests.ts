import { availableParallelism } from 'node:os';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { modelToBytes } from '../../headless-studio/place-bytes.ts';
import { SharedBytes } from '../../headless-studio/variant-bytes.ts';
import type { GameTestEvent, GameTestResult, GameTestTotals } from '../../protocol/game-tests.ts';
import type { TestPlan } from '../test-plan.ts';
import type { TestReport } from '../workers/test-messages.ts';
import { runTestFile } from './run-test-file.ts';
import { testProgram } from './test-files.ts';

export interface GameTestRun {
  readonly plan: TestPlan;
  /** `game.Name`, `game.PlaceId` and `game.GameId`. */
  readonly placeName: string;
  readonly placeId: number;
  readonly gameId: number;
  /** Converts a path of the plan to one relative to the current folder. */
  readonly displayName: (file: string) => string;
  /** Runs only tests whose full name (`file > block > test`) contains one of these; empty for all. */
  readonly filters: readonly string[];
  readonly secondsPerTest: number;
  /** For the Luau of each file. */
  readonly memoryMegabytes: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: Exclude<GameTestEvent, { event: 'ended' }>) => void;
}

/** Suitable for most computers: each file needs a core, and about 150 MB in addition to the memory of Luau. */
const MAX_CONCURRENCY = 4;

/** Runs the test files of a plan, some at the same time. Reports every test once. Ends early when `signal` aborts. */
export async function runTests(run: GameTestRun): Promise<GameTestTotals> {
  const { plan, displayName, filters, onEvent, signal } = run;
  const started = performance.now();
  const { worker, folders } = testProgram();
  const place = sharedCopy(modelToBytes(plan.place, new SharedBytes()));
  const files = plan.scripts.map(({ path, file }) => ({ path, file: displayName(file) }));
  const totals = { files: 0, passed: 0, failed: 0, skipped: 0 };
  const concurrency = Math.max(1, Math.min(MAX_CONCURRENCY, availableParallelism() - 1));
  await mapConcurrent(plan.tests, concurrency, async test => {
    const file = displayName(test.file);
    if (signal.aborted || !mayMatch(file, filters)) return;
    let count = 0;
    await runTestFile({
      worker,
      memoryMegabytes: run.memoryMegabytes,
      signal,
      options: {
        ...folders,
        place,
        placeName: run.placeName,
        placeId: run.placeId,
        gameId: run.gameId,
        request: {
          files,
          test: test.path,
          hooks: test.hooks,
          seconds: run.secondsPerTest,
          file,
          filters,
        },
      },
      onStarted: ({ names, line }) => onEvent({ event: 'started', file, names: [...names], line }),
      onReport: report => {
        totals[report.status] += 1;
        count += 1;
        onEvent(toEvent(file, report));
      },
    });
    if (count > 0) totals.files += 1;
  });
  return { event: 'ended', ok: totals.failed === 0, ...totals, ms: Math.round(performance.now() - started) };
}

/** Whether tests of the file can match, so that a file with other tests does not have to run. */
const mayMatch = (file: string, filters: readonly string[]): boolean =>
  filters.length === 0 ||
  filters.some(
    filter => !/\.(?:spec|test)\.luau?(?: > |$)/.test(filter) || `${file} > `.includes(filter.replace(/ > .*$/s, '')),
  );

/** A copy that the threads share. */
function sharedCopy(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function toEvent(file: string, report: TestReport): GameTestResult {
  const { names, line, status, ms, failure, unavailable, output } = report;
  return {
    event: 'test',
    file,
    names: [...names],
    line,
    status,
    ms,
    ...(failure && {
      failure: {
        message: failure.message,
        stack: failure.stack.map(position => ({ ...position })),
        unavailable: [...unavailable],
      },
    }),
    output: output.map(line => ({ ...line })),
  };
}
