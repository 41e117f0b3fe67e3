import type { Program, Scheduler } from '../backend/contract.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import type { Schedules } from '../../ports/program-runner.ts';
import { Fibers } from './fibers/fibers.ts';
import { Exploration, type Policy, randomPolicy, roundRobinPolicy, sequentialPolicy } from './fibers/policies.ts';
import { createRuntime } from './runtime.ts';
import { fromByteText } from './values/byte-text.ts';
import { AbnormalExit, type MakeProgram, runOnce } from './run-program.ts';

/** The result of one test. */
export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  /** Reason of the failure; empty if the test passed. */
  readonly problem: string;
  readonly schedules: Schedules | undefined;
  /** Where it failed, innermost first: `main.pluto:3`. */
  readonly places: readonly string[];
}

/** Names of the tests, in source order. */
export const testsOf = (make: MakeProgram, host: ProgramHost): readonly string[] =>
  programOf(make, host).tests.map(({ name }) => fromByteText(name));

const programOf = (make: MakeProgram, host: ProgramHost): Program =>
  make(createRuntime(host, new Fibers(sequentialPolicy())));

/**
 * Runs tests one after another, each in a fresh program. The scheduler decides how often; the environment variables `PLUTO_TEST_ITERATIONS`,
 * `PLUTO_TEST_SEED`, `PLUTO_MAX_SCHEDULES` and `PLUTO_MAX_DEPTH` set its limits.
 *
 * @param filter substring of the names of the tests to run; `''` runs all
 */
export function runTests(
  make: MakeProgram,
  host: ProgramHost,
  filter: string,
  onEnd: (ending: TestResult) => void,
): void {
  const { tests, scheduler } = programOf(make, host);
  for (const [index, { name: bytes }] of tests.entries()) {
    const name = fromByteText(bytes);
    if (!name.includes(filter)) continue;
    let problem = '';
    let places: readonly string[] = [];
    let schedules: Schedules | undefined;
    try {
      schedules = runAll(scheduler, host, policy => void runOnce(make, host, policy, program => program.tests[index]));
    } catch (error) {
      if (!(error instanceof AbnormalExit)) throw error;
      problem = fromByteText(error.message);
      ({ places } = error);
    }
    onEnd({ name, passed: problem === '', problem, schedules, places });
  }
}

/** Runs a test as often as its scheduler requires; the first exception ends the runs. */
function runAll(scheduler: Scheduler, host: ProgramHost, run: (policy: Policy) => void): Schedules | undefined {
  switch (scheduler) {
    case 'Sequential':
      run(sequentialPolicy());
      return undefined;
    case 'RoundRobin':
      run(roundRobinPolicy());
      return undefined;
    case 'Random': {
      const seed = setting(host, 'PLUTO_TEST_SEED', 0);
      const iterations = setting(host, 'PLUTO_TEST_ITERATIONS', 100);
      for (let index = 0; index < iterations; index += 1)
        run(randomPolicy(BigInt(seed + index), `Seed ${seed + index}, iteration ${index + 1} of ${iterations}`));
      return undefined;
    }
    case 'Exhaustive':
      return explore(host, run);
  }
}

function explore(host: ProgramHost, run: (policy: Policy) => void): Schedules {
  const most = setting(host, 'PLUTO_MAX_SCHEDULES', 10_000);
  const exploration = new Exploration(Math.min(setting(host, 'PLUTO_MAX_DEPTH', 200), 200));
  while (!exploration.isDone && exploration.explored < most) {
    run(exploration.policy());
    exploration.advance();
  }
  const { explored } = exploration;
  const isComplete = exploration.isDone && !exploration.isIncomplete;
  const note = isComplete ? '' : ' (a limit was reached, so there are more)';
  host.write('stderr', `  Exhaustive: ${explored} schedule(s) explored${note}\n`);
  return { explored, isComplete };
}

function setting({ environment }: ProgramHost, name: string, otherwise: number): number {
  const value = Number(environment.get(name) ?? otherwise);
  return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}
