import { relative, resolve } from 'node:path';
import { err, ok, type Result } from '../../base/result.ts';
import { AppError } from '../../base/errors.ts';
import type { CommandOutput } from '../../cli/command-answer.ts';
import { type CliIo, exitCodes } from '../../cli/io.ts';
import type { CommandProject } from '../../cli/open-project.ts';
import { type ProjectArgs, readProjectArgs } from '../../cli/project-args.ts';
import { type ProjectCommand, runProjectCommand } from '../../cli/run-project-command.ts';
import { testSpec } from '../../cli/table/test-spec.ts';
import { checkOutput, fileOrStandardOutput, writeCommandOutput } from '../../cli/write-command-output.ts';
import { readPlaceFile } from '../../headless-studio/place-file.ts';
import type { GameTestResult } from '../../protocol/game-tests.ts';
import { runTests } from '../host/run-tests.ts';
import { renderJunit } from '../reports/junit.ts';
import { renderTap } from '../reports/tap.ts';
import { planTests } from '../test-plan.ts';
import { resultLines, totalsLine } from './text-report.ts';

type Reporter = 'text' | 'tap' | 'junit';

interface TestArgs extends ProjectArgs {
  readonly place: string | undefined;
  readonly filters: readonly string[];
  readonly reporter: Reporter;
  readonly output: string | undefined;
  readonly seconds: number;
  readonly memoryMegabytes: number;
}

const DEFAULT_SECONDS = 10;
const DEFAULT_MEGABYTES = 512;

const testCommand: ProjectCommand<TestArgs> = {
  spec: testSpec,
  phase: 'running tests',
  read: args =>
    readProjectArgs(
      args,
      testSpec,
      ({ place, filter: filters = [], reporter = 'text', output: to, timeout, memory }, { json }) => {
        const output = fileOrStandardOutput(to);
        if (reporter !== 'text' && reporter !== 'tap' && reporter !== 'junit')
          return err(`unknown reporter '${reporter}' (text, tap or junit)`);
        if (to !== undefined && reporter === 'text') return err('--output requires --reporter tap or junit');
        if (json && reporter !== 'text' && output === undefined)
          return err('--json and --reporter exclude each other without --output');
        const seconds = readNumber('timeout', timeout, DEFAULT_SECONDS, 1, 3600);
        if (!seconds.ok) return seconds;
        const memoryMegabytes = readNumber('memory', memory, DEFAULT_MEGABYTES, 64, 2048);
        if (!memoryMegabytes.ok) return memoryMegabytes;
        return ok({ place, filters, reporter, output, seconds: seconds.value, memoryMegabytes: memoryMegabytes.value });
      },
    ),
};

function readNumber(
  name: string,
  text: string | undefined,
  otherwise: number,
  from: number,
  to: number,
): Result<number, string> {
  if (text === undefined) return ok(otherwise);
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return value < from || value > to ? err(`invalid ${name} '${text}' (${from}–${to})`) : ok(value);
}

/** `atlas-bridge test`: runs the tests of a game in headless Studio. Resolves with the exit code. */
export function runTest(args: readonly string[], io: CliIo): Promise<number> {
  return runProjectCommand(testCommand, args, io, run);
}

async function run(project: CommandProject, command: TestArgs, { io, json }: CommandOutput): Promise<number> {
  const { session, folder, reflection } = project;
  const { filters, reporter } = command;
  const output = command.output === undefined ? undefined : resolve(io.cwd, command.output);
  if (output !== undefined) await checkOutput(output);
  const base =
    command.place === undefined ? undefined : await readPlaceFile(resolve(io.cwd, command.place), reflection);
  const plan = planTests(session, reflection, base);
  if (plan.tests.length === 0) throw new AppError('NO_TESTS', { project: session.info.projectFile });
  const results: GameTestResult[] = [];
  const totals = await runTests({
    plan,
    placeName: session.info.name,
    placeId: session.info.placeId ?? 0,
    gameId: session.info.gameId ?? 0,
    displayName: file => relative(io.cwd, resolve(folder, file)).replaceAll('\\', '/'),
    filters,
    secondsPerTest: command.seconds,
    memoryMegabytes: command.memoryMegabytes,
    signal: io.stop,
    onEvent: event => {
      if (event.event === 'test') results.push(event);
      if (json) io.out(JSON.stringify(event), 'data');
      else if (event.event === 'test' && (reporter === 'text' || output !== undefined))
        for (const line of resultLines(event)) io.out(line);
    },
  });
  io.stop.throwIfAborted();
  if (results.length === 0)
    throw new AppError('NO_TESTS', { project: session.info.projectFile, filter: filters.join(', ') });
  if (reporter !== 'text') {
    const report = reporter === 'tap' ? renderTap(results) : renderJunit(results);
    if (output === undefined) io.out(report.trimEnd(), 'data');
    else await writeCommandOutput({ folder, file: output, command: 'test' }, new TextEncoder().encode(report), io);
  }
  if (json) io.out(JSON.stringify(totals), 'data');
  else if (reporter === 'text' || output !== undefined) io.out(totalsLine(totals));
  return totals.ok ? exitCodes.done : exitCodes.failed;
}
