import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBundled } from '../../../base/is-bundled.ts';
import type { ProgramRunner, TestVerdict } from '../../ports/program-runner.ts';
import { lengthsOf, makeSharedOutput, type OutputLengths, readShared, type SharedOutput } from './output.ts';
import { heapMegabytes } from './memory-limit.ts';
import type { ProgramJob, ProgramMessage } from './program-thread.ts';
import { runProcess } from './run-process.ts';
import { runThread, type ThreadResult } from './run-thread.ts';
import { wasmSupport } from './start-wasm.ts';
import { workerFile } from './worker-file.ts';

const DEFAULT_MEGABYTES = 512;
const MAX_OUTPUT_BYTES = 1 << 20;

/** Whether programs of agents may read a variable. All others may contain secrets. */
const isHarmless = (name: string): boolean => /^(?:HOME|LANG|LC_ALL|TZ|USER|PLUTO_\w+)$/.test(name);

export interface ProgramRunnerOptions {
  /** The project folder, absolute: base of relative paths. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Programs of agents are limited; programs of a person have the person's rights. */
  readonly startedBy: 'agent' | 'person';
  /** Memory limit of programs of agents. Default: 512. */
  readonly megabytes?: number;
  /** The main program of their processes. Default: the one of this build. */
  readonly worker?: URL;
}

export function createProgramRunner({
  folder,
  environment,
  startedBy,
  megabytes = DEFAULT_MEGABYTES,
  worker = workerFile(),
}: ProgramRunnerOptions): ProgramRunner {
  const limits = { megabytes, outputBytes: MAX_OUTPUT_BYTES };
  const isUnlimited = startedBy === 'person';
  const variables = Object.fromEntries(Object.entries(environment).filter(([name]) => isUnlimited || isHarmless(name)));
  const inProcess = async (
    job: Pick<ProgramJob, 'program' | 'tests' | 'input'>,
    output: SharedOutput,
    seconds: number | undefined,
    signal: AbortSignal,
    onMessage?: (message: ProgramMessage) => void,
  ): Promise<ThreadResult> => {
    const temporary = await mkdtemp(join(tmpdir(), 'pluto-'));
    try {
      const whole = { ...job, environment: variables, reach: { folder, temporary, isUnlimited } };
      if (isUnlimited)
        return await runThread(
          { ...whole, output },
          { ...limits, megabytes: heapMegabytes(), seconds },
          signal,
          onMessage,
        );
      return await runProcess(worker, whole, output, { ...limits, seconds }, signal, onMessage);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  };
  return {
    wasm: wasmSupport(),
    async run(program, { stdin, seconds }, signal) {
      const output = makeSharedOutput(MAX_OUTPUT_BYTES);
      const input = new TextEncoder().encode(stdin);
      const ending = await inProcess({ program, tests: undefined, input }, output, seconds, signal);
      return { ...ending, stdout: readShared(output, 'stdout'), stderr: readShared(output, 'stderr') };
    },
    async test(program, { filter, seconds }, signal) {
      const output = makeSharedOutput(MAX_OUTPUT_BYTES);
      const verdicts: TestVerdict[] = [];
      let names: readonly string[] = [];
      let start: OutputLengths = { stdout: 0, stderr: 0 };
      const put = (verdict: Omit<TestVerdict, 'output'>, problem: string, end: OutputLengths): void => {
        const printed =
          readShared(output, 'stdout', start.stdout, end.stdout) +
          readShared(output, 'stderr', start.stderr, end.stderr);
        start = end;
        verdicts.push({ ...verdict, output: printed + (problem === '' ? '' : `${problem}\n`) });
      };
      const job = { program, tests: { filter }, input: new Uint8Array() };
      const { stopped } = await inProcess(job, output, seconds, signal, message => {
        if (message.kind === 'tests') ({ names } = message);
        else if (message.kind === 'ended') {
          const { name, passed, schedules, places, problem, printed } = message;
          put(
            { name, passed, ...(schedules !== undefined && { schedules }), ...(places.length > 0 && { places }) },
            problem,
            printed,
          );
        }
      });
      const running = names[verdicts.length];
      if (stopped !== undefined && running !== undefined)
        put({ name: running, passed: false }, describeLimit(stopped), lengthsOf(output));
      return { verdicts, notRun: names.slice(verdicts.length), stopped };
    },
    async standalone() {
      const path = isBundled(import.meta.url) ? './pluto-standalone.js' : '../../../../dist/pluto-standalone.js';
      return readFile(new URL(path, import.meta.url), 'utf8');
    },
  };
}

const describeLimit = ({ budget, limit, unit }: NonNullable<ThreadResult['stopped']>): string =>
  `stopped: exceeded the ${budget} limit (${limit} ${unit})`;
