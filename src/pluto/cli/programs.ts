import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { replaceWholeFile } from '../../adapters/fs/write-whole-file.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { createProgramRunner } from '../program/host/program-runner.ts';
import { runWithStreams } from '../program/host/run-with-streams.ts';
import { AppError } from '../../base/errors.ts';
import { isStandalone, standaloneText } from '../program/backend/standalone.ts';
import { compileModule } from '../session/programs/compile-module.ts';
import { standalonePathOf } from '../session/programs/write-standalone.ts';
import type { Finding } from '../session/findings.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';
import { commandHint } from '../../protocol/error-body.ts';
import { testsAnswer } from '../tools/program-answer.ts';
import type { CliIo } from '../../cli/io.ts';
import type { PlutoTarget } from './open-session.ts';
import type { PlutoAnswer } from './pluto-answer.ts';
import type { PlutoArgs } from './pluto-args.ts';

const refused = (findings: readonly Finding[], more: object): PlutoAnswer => ({
  isDone: false,
  json: { success: false, ...more, diagnostics: [] },
  outputLines: [],
  findings,
});

const runnerOf = ({ folder }: PlutoTarget, io: CliIo): ProgramRunner =>
  createProgramRunner({ folder, environment: io.env, startedBy: 'person' });

/** `run`: runs the program with the rights, terminal and folder of the user. */
export async function runFile(target: PlutoTarget, { programArgs }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const compiled = await compileModule(target.session, target.path, 'run', io.stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, {});
  if (programArgs.length > 0) io.err('warning: the arguments were not used: programs cannot read arguments');
  const exitCode = await runWithStreams(compiled.program, io.cwd, io.env, io.stop);
  return { isDone: exitCode === 0, json: {}, outputLines: [], exitCode };
}

/** `test` */
export async function testFile(target: PlutoTarget, { filter }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const { session, path } = target;
  const compiled = await compileModule(session, path, 'test', io.stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, { passed: 0, failed: 0, results: [] });
  const ended = await runnerOf(target, io).test(compiled.program, { filter, seconds: undefined }, io.stop);
  const { isEmpty: _, remark, error, ...answer } = testsAnswer(target.displayPath(path), filter, ended);
  const hint = error && commandHint(error);
  const lines = ended.verdicts.flatMap(({ name, passed, output }) =>
    passed
      ? [`test ${name} ... ${output}ok`]
      : [`test ${name} ... FAILED`, ...(output === '' ? [] : [output.trimEnd()])],
  );
  // The language reference pins this line, also for one test.
  const ending = answer.success
    ? [`${answer.passed} tests passed`, ...(remark === '' ? [] : [remark])]
    : [answer.summary, ...(hint === undefined ? [] : [hint])];
  return {
    isDone: answer.success,
    json: { ...answer, ...(error && { error: { ...error, hint } }), diagnostics: [] },
    outputLines: [...lines, ...(lines.length === 0 ? [] : ['']), ...ending],
  };
}

/** `compile`: overwrites only an unchanged earlier output. */
export async function compileFile(target: PlutoTarget, { output }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const compiled = await compileModule(target.session, target.path, 'run', io.stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, {});
  const runtime = await runnerOf(target, io).standalone();
  const script = standaloneText({ entry: target.path, program: compiled.program, runtime }, nodeHasher);
  const to = output === undefined ? resolve(target.folder, standalonePathOf(target.path)) : resolve(io.cwd, output);
  const existing = await readFile(to, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new AppError('PLUTO_OUTPUT_FOREIGN', { path: to }, { cause: error });
  });
  const isOurs = (bytes: Uint8Array): boolean => isStandalone(new TextDecoder().decode(bytes), nodeHasher);
  if (existing !== script && !(await replaceWholeFile(to, new TextEncoder().encode(script), isOurs)))
    throw new AppError('PLUTO_OUTPUT_FOREIGN', { path: to });
  return {
    isDone: true,
    json: { success: true, output_path: to, diagnostics: [] },
    outputLines: [target.displayPath(to)],
  };
}
