import { isAbsolute, relative, resolve, sep } from 'node:path';
import { nodeClock } from '../adapters/node/clock.ts';
import { err, ok } from '../base/result.ts';
import { keepSourcemap } from '../project/sourcemap/keep-sourcemap.ts';
import { renderSourcemap } from '../project/sourcemap/sourcemap.ts';
import type { CommandOutput } from './command-answer.ts';
import { type CliIo, exitCodes } from './io.ts';
import type { CommandProject } from './open-project.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type ProjectCommand, runProjectCommand, untilStopped } from './run-project-command.ts';
import { sourcemapSpec } from './table/project-specs.ts';
import { checkOutput, fileOrStandardOutput, writeCommandOutput } from './write-command-output.ts';

interface SourcemapArgs extends ProjectArgs {
  /** `undefined`: standard output. */
  readonly output: string | undefined;
  readonly watch: boolean;
  readonly includeNonScripts: boolean;
  readonly absolute: boolean;
}

const sourcemapCommand: ProjectCommand<SourcemapArgs> = {
  spec: sourcemapSpec,
  phase: 'writing the sourcemap',
  read: args =>
    readProjectArgs(
      args,
      sourcemapSpec,
      ({ output: to, watch = false, 'include-non-scripts': includeNonScripts = false, absolute = false }) => {
        const output = fileOrStandardOutput(to);
        if (output === undefined && watch) return err('--watch requires --output <file>');
        return ok({ output, watch, includeNonScripts, absolute });
      },
    ),
};

/** `atlas-bridge sourcemap`. Resolves with the exit code. */
export function runSourcemap(args: readonly string[], io: CliIo): Promise<number> {
  return runProjectCommand(sourcemapCommand, args, io, write);
}

async function write(project: CommandProject, command: SourcemapArgs, { io, json }: CommandOutput): Promise<number> {
  const { session, folder } = project;
  const { includeNonScripts, absolute } = command;
  const options = { includeNonScripts, ...(absolute && { absoluteFrom: folder.split(sep).join('/') }) };
  if (command.output === undefined) {
    io.out(await renderSourcemap(session, options), 'data');
    return exitCodes.done;
  }
  const file = resolve(io.cwd, command.output);
  await checkOutput(file);
  const put = async (text: string): Promise<void> => {
    const bytes = new TextEncoder().encode(text);
    await writeCommandOutput({ folder, file, command: 'sourcemap' }, bytes, io);
    const shown = relative(io.cwd, file);
    if (json)
      io.out(JSON.stringify({ ok: true, output: file, bytes: bytes.length, problems: session.diagnostics() }), 'data');
    else io.out(`Wrote ${shown === '' || isAbsolute(shown) ? file : shown}`);
  };
  if (!command.watch) {
    await put(await renderSourcemap(session, options));
    return exitCodes.done;
  }
  const failed = Promise.withResolvers<never>();
  using _keeping = keepSourcemap(session, {
    ...options,
    clock: nodeClock,
    write: put,
    onFailure: error => failed.reject(error),
  });
  await Promise.race([untilStopped(io.stop), failed.promise]);
  return exitCodes.done;
}
