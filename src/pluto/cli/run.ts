import type { ReadyThread } from '../program/host/run-thread.ts';
import type { runShortProgram } from '../program/host/run-short-program.ts';
import type { runWithStreams } from '../program/host/run-with-streams.ts';
import { wasmSupport } from '../program/host/start-wasm.ts';
import { compileModule } from '../session/programs/compile-module.ts';
import { engineRemark } from '../program/engine-remark.ts';
import type { CliIo } from '../../cli/io.ts';
import type { PlutoTarget } from './open-session.ts';
import { type PlutoAnswer, refused } from './pluto-answer.ts';
import type { PlutoArgs } from './pluto-args.ts';

/** Loads the code that runs programs, whichever a program needs: that for threads takes long to load. */
export interface ProgramCode {
  readonly loadHere: () => Promise<typeof runShortProgram>;
  readonly loadInThread: () => Promise<typeof runWithStreams>;
}

/** `run`: runs the program with the rights, terminal and folder of the user. @param ready runs the program in its thread, if given */
export async function runFile(
  target: PlutoTarget,
  { programArgs }: PlutoArgs,
  io: CliIo,
  code: ProgramCode,
  ready?: ReadyThread,
): Promise<PlutoAnswer> {
  const { cwd, env, stop } = io;
  const compiled = await compileModule(target.session, target.path, 'run', stop);
  if (compiled.kind === 'refused') return refused(compiled.findings, {});
  if (programArgs.length > 0) io.err('warning: the arguments were not used: programs cannot read arguments');
  const { program, isShort } = compiled;
  // Another thread would take longer to start than a short program runs.
  const run = isShort ? await code.loadHere() : await code.loadInThread();
  const exitCode = await run(program, cwd, env, stop, ready);
  const remark = compiled.wasm === 'none' ? '' : engineRemark(compiled.wasm, wasmSupport());
  if (remark !== '') io.err(`warning: ${remark}`);
  return { isDone: exitCode === 0, json: {}, outputLines: [], exitCode };
}
