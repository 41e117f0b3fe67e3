import { AppError } from '../../base/errors.ts';
import { counted } from '../../base/plural.ts';
import { shortened } from '../../base/safe-text.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GameTestRunner } from '../../ports/game-tests.ts';
import type { Random } from '../../ports/random.ts';
import type { GameTestResult, GameTestTotals } from '../../protocol/game-tests.ts';
import type { GameTestToolDeps, RunTestsAnswer } from './run-tests.ts';

export interface AnswerRunTestsDeps {
  readonly runner: GameTestRunner;
  /** Absolute path of the project file. @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly project: () => string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Bytes of the tests on a page: with the text and the `<json>` block, at most about 8,000 tokens. */
const PAGE_BYTES = 12_000;
/** Characters of the output of a failed test; the other tests are listed without output. */
const MAX_OUTPUT_LENGTH = 2_000;
const MAX_STACK = 10;
/** Number of runs whose results are kept for further pages. */
const MAX_KEPT_RUNS = 4;

interface EndedRun {
  readonly totals: GameTestTotals;
  readonly results: readonly GameTestResult[];
  readonly elapsedMs: number;
}

/** Creates the function that answers calls of `run_tests`. Runs one call at a time, because each uses several cores. */
export function createRunTestsAnswers({
  runner,
  project,
  clock,
  random,
}: AnswerRunTestsDeps): GameTestToolDeps['runGameTests'] {
  const queue = new SerialQueue();
  const kept = new Map<string, EndedRun>();
  return async ({ filter, all, cursor }, call) => {
    if (cursor !== undefined) return nextPage(cursor, kept);
    const started = clock.now();
    const results: GameTestResult[] = [];
    const file = project();
    const outcome = await queue.run(call.signal, () =>
      runner.run({ project: file, filters: filter === undefined ? [] : [filter] }, call.signal, {
        onResult(result) {
          results.push(withShortTexts(result));
          call.progress?.(`${counted(results.length, 'test')} ended`);
        },
      }),
    );
    const elapsedMs = Math.round(clock.now() - started);
    if (!outcome.ok) {
      const { error } = outcome;
      const none = { passed: 0, failed: 0, skipped: 0, tests: [] };
      return { outcome: 'failed', elapsedMs, status: 'error', summary: error.message, ...none, error };
    }
    const id = random.ref();
    const run = { totals: outcome.totals, results, elapsedMs };
    kept.set(id, run);
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT_RUNS) kept.delete(oldest);
    return page(id, run, all, 0);
  };
}

function withShortTexts(result: GameTestResult): GameTestResult {
  if (result.failure === undefined) return { ...result, output: [] };
  let left = MAX_OUTPUT_LENGTH;
  const output = result.output.flatMap(line => {
    if (left <= 0) return [];
    const message = shortened(line.message, left);
    left -= line.message.length;
    return [{ ...line, message }];
  });
  const { message, stack } = result.failure;
  const failure = {
    ...result.failure,
    message: shortened(message, MAX_OUTPUT_LENGTH),
    stack: stack.slice(0, MAX_STACK),
  };
  return { ...result, failure, output };
}

/** @throws AppError INVALID_INPUT */
function nextPage(cursor: string, kept: ReadonlyMap<string, EndedRun>): RunTestsAnswer {
  const [, id = '', all, from] = /^tests\.([0-9a-f]+)\.(all|failed)\.(\d{1,9})$/.exec(cursor) ?? [];
  const run = kept.get(id);
  if (run === undefined)
    throw new AppError('INVALID_INPUT', {
      problems: 'cursor: its run is no longer known; run the tests again without it',
    });
  return page(id, run, all === 'all', Number(from));
}

function page(id: string, { totals, results, elapsedMs }: EndedRun, all: boolean, from: number): RunTestsAnswer {
  const listed = results.filter(({ status }) => all || status === 'failed');
  const encoder = new TextEncoder();
  const tests: RunTestsAnswer['tests'] = [];
  let used = 0;
  for (const { event: _, ...test } of listed.slice(from)) {
    used += encoder.encode(JSON.stringify(test)).length;
    if (used > PAGE_BYTES && tests.length > 0) break;
    tests.push(test);
  }
  const next = from + tests.length;
  const { passed, failed, skipped, files, ok } = totals;
  const count = passed + failed + skipped;
  const rest = next < listed.length ? ` The next pages list ${listed.length - next} more.` : '';
  return {
    outcome: 'done',
    evidence: { kind: 'tests.ended', strength: 'reply' },
    elapsedMs,
    status: ok ? 'passed' : 'failed',
    summary: `${counted(count, 'test')} in ${counted(files, 'file')}: ${passed} passed, ${failed} failed, ${skipped} skipped.${rest}`,
    passed,
    failed,
    skipped,
    tests,
    ...(next < listed.length ? { cursor: `tests.${id}.${all ? 'all' : 'failed'}.${next}` } : {}),
  };
}
