import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { replaceWholeFile } from '../../adapters/fs/write-whole-file.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { createProgramRunner } from '../program/host/program-runner.ts';
import { hasErrorCode, ifFound } from '../../base/errno.ts';
import { AppError } from '../../base/errors.ts';
import { isStandalone, standaloneText } from '../program/backend/standalone.ts';
import { engineRemark } from '../program/engine-remark.ts';
import { compileModule } from '../session/programs/compile-module.ts';
import { standalonePathOf } from '../session/programs/write-standalone.ts';
import type { ProgramRunner, TestVerdict } from '../ports/program-runner.ts';
import { commandHint } from '../../protocol/error-body.ts';
import { testsAnswer } from '../tools/program-answer.ts';
import type { CliIo } from '../../cli/io.ts';
import { fileOrStandardOutput } from '../../cli/write-command-output.ts';
import { sourceText } from './convert.ts';
import type { PlutoTarget } from './open-session.ts';
import { type PlutoAnswer, refused } from './pluto-answer.ts';
import type { PlutoArgs } from './pluto-args.ts';

const runnerOf = ({ folder }: PlutoTarget, io: CliIo): ProgramRunner =>
  createProgramRunner({ folder, environment: io.env, startedBy: 'person' });

/** `test` */
export async function testFile(target: PlutoTarget, { filter }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const { session, path } = target;
  const compiled = await compileModule(session, path, 'test', io.stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, { passed: 0, failed: 0, results: [] });
  const runner = runnerOf(target, io);
  const engine = engineRemark(compiled.wasm, runner.wasm);
  const ended = await runner.test(compiled.program, { filter, seconds: undefined }, io.stop);
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
  if (engine !== '') io.err(`warning: ${engine}`);
  return {
    isDone: answer.success,
    json: {
      ...answer,
      results: answer.results.map((result, at) => ({ ...result, ...stackOf(target, ended.verdicts[at]) })),
      ...(error && { error: { ...error, hint } }),
      diagnostics: [],
    },
    outputLines: [...lines, ...(lines.length === 0 ? [] : ['']), ...ending],
    isProgramOutput: true,
  };
}

/** The positions of a failure, with files relative to the current folder. */
function stackOf({ displayPath }: PlutoTarget, verdict: TestVerdict | undefined) {
  const stack = (verdict?.places ?? []).map(place => {
    const at = place.lastIndexOf(':');
    return { file: displayPath(place.slice(0, at)), line: Number(place.slice(at + 1)) };
  });
  return stack.length > 0 && { stack };
}

/** `compile`: overwrites only an unchanged earlier output. */
export async function compileFile(target: PlutoTarget, { output }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const compiled = await compileModule(target.session, target.path, 'run', io.stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, {});
  const runtime = await runnerOf(target, io).standalone();
  const script = standaloneText({ entry: target.path, program: compiled.program, runtime }, nodeHasher);
  if (output !== undefined && fileOrStandardOutput(output) === undefined) return sourceText(script);
  const to = output === undefined ? resolve(target.folder, standalonePathOf(target.path)) : resolve(io.cwd, output);
  const existing = await ifFound(readFile(to, 'utf8')).catch((error: unknown) => {
    throw hasErrorCode(error, 'EISDIR') ? new AppError('PLUTO_OUTPUT_FOREIGN', { path: to }, { cause: error }) : error;
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
