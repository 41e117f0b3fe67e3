import type { ReadyThread } from '../program/host/run-thread.ts';
import { wasmSupport } from '../program/host/start-wasm.ts';
import { compileModule } from '../session/programs/compile-module.ts';
import { engineRemark } from '../program/engine-remark.ts';
import type { CliIo } from '../../cli/io.ts';
import type { PlutoTarget } from './open-session.ts';
import { type PlutoAnswer, refused } from './pluto-answer.ts';
import type { PlutoArgs } from './pluto-args.ts';

/** Runs a short program in this thread, because starting another one takes longer. */
async function runHere(program: string, { cwd, env, stop }: CliIo): Promise<number> {
  const { runShortProgram } = await import('../program/host/run-short-program.ts');
  stop.throwIfAborted();
  return runShortProgram(program, cwd, env);
}

async function runInThread(
  program: string,
  { cwd, env, stop }: CliIo,
  ready: ReadyThread | undefined,
): Promise<number> {
  const { runWithStreams } = await import('../program/host/run-with-streams.ts');
  return runWithStreams(program, cwd, env, stop, ready);
}

/** `run`: runs the program with the rights, terminal and folder of the user. @param ready runs the program, if given */
export async function runFile(
  target: PlutoTarget,
  { programArgs }: PlutoArgs,
  io: CliIo,
  ready?: ReadyThread,
): Promise<PlutoAnswer> {
  const compiled = await compileModule(target.session, target.path, 'run', io.stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, {});
  if (programArgs.length > 0) io.err('warning: the arguments were not used: programs cannot read arguments');
  const run = compiled.isShort ? runHere : runInThread;
  const exitCode = await run(compiled.program, io, ready);
  const remark = compiled.wasm === 'none' ? '' : engineRemark(compiled.wasm, wasmSupport());
  if (remark !== '') io.err(`warning: ${remark}`);
  return { isDone: exitCode === 0, json: {}, outputLines: [], exitCode };
}
