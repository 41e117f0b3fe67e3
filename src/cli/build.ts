import { relative, resolve } from 'node:path';
import { writeWholeFile } from '../adapters/fs/write-whole-file.ts';
import { AppError } from '../base/errors.ts';
import { err, ok } from '../base/result.ts';
import { isPlaceFormat, type ModelFormat, modelFormatOf, writeModel } from '../roblox/formats/model/model-file.ts';
import { buildModel } from '../project/build/build-model.ts';
import { counted } from './counted.ts';
import { answerDone, answerFailed, type CommandAnswer } from './command-answer.ts';
import type { CliIo } from './io.ts';
import type { CommandProject } from './open-project.ts';
import { dialectUsage, type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type ProjectCommand, runProjectCommand } from './run-project-command.ts';

interface BuildArgs extends ProjectArgs {
  readonly output: string;
  readonly format: ModelFormat;
}

const buildUsage = `Usage: atlas-bridge build [project] --output <file> [options]

Build a place or model file.

Arguments:
  [project]              Project file or its folder [default: current folder]

Options:
  -o, --output <file>    File to write: .rbxl or .rbxlx (place), .rbxm or .rbxmx (model)
${dialectUsage}
  --json                 Print the result as one line of JSON
  -h, --help             Print help

If any file of the project has an error, the command prints it as file:line:column and builds nothing.
Exit codes: 0 success, 1 failure, 2 wrong usage.`;

const buildCommand: ProjectCommand<BuildArgs> = {
  name: 'build',
  phase: 'building',
  usage: buildUsage,
  read: args =>
    readProjectArgs(args, { output: { type: 'string', short: 'o' } }, ({ output }) => {
      if (output === undefined) return err('build requires --output <file>');
      const format = modelFormatOf(output);
      return format === undefined
        ? err(`invalid output file '${output}' (.rbxl, .rbxlx, .rbxm or .rbxmx)`)
        : ok({ output, format });
    }),
};

/** `atlas-bridge build`: writes the file completely or not at all. Resolves with the exit code. */
export function runBuild(args: readonly string[], io: CliIo): Promise<number> {
  return runProjectCommand(buildCommand, args, io, build);
}

async function build(project: CommandProject, command: BuildArgs, answer: CommandAnswer): Promise<number> {
  const { session, reflection } = project;
  const { io } = answer;
  const file = resolve(io.cwd, command.output);
  const built = buildModel(session, isPlaceFormat(command.format) ? 'place' : 'model', reflection);
  if (built === undefined) {
    const className = session.get(session.rootId)?.className ?? 'nothing';
    const expected = `"$className": "DataModel" at the root of a place; build a ${className} as a model (.rbxm, .rbxmx)`;
    return answerFailed(
      new AppError('PROJECT_INVALID', { file: session.info.projectFile, line: 1, column: 1, expected }),
      [],
      answer,
    );
  }
  const bytes = writeModel(built.model, command.format, reflection);
  if (!bytes.ok) return answerFailed(new AppError('MODEL_UNWRITABLE', { file, reason: bytes.error }), [], answer);
  io.stop.throwIfAborted();
  await writeWholeFile(file, bytes.value);
  const { instances, warnings } = built;
  if (!command.json) for (const warning of warnings) io.err(`warning: ${warning}`);
  const counts = { output: file, instances, bytes: bytes.value.length };
  const words = `Built ${relative(io.cwd, file) || file}: ${counted(instances, 'instance')}, ${counted(bytes.value.length, 'byte')}`;
  return answerDone({ ...counts, warnings, problems: session.diagnostics() }, words, answer);
}
