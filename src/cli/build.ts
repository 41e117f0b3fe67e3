import { relative, resolve } from 'node:path';
import { writeWholeFile } from '../adapters/fs/write-whole-file.ts';
import { AppError } from '../base/errors.ts';
import { err, ok } from '../base/result.ts';
import { isPlaceFormat, type ModelFormat, modelFormatOf, writeModel } from '../roblox/formats/model/model-file.ts';
import { buildModel } from '../project/build/build-model.ts';
import { answerDone, answerFailed, type CommandAnswer } from './command-answer.ts';
import type { CliIo } from './io.ts';
import type { CommandProject } from './open-project.ts';
import { dialectUsage, type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type ProjectCommand, runProjectCommand } from './run-project-command.ts';

interface BuildArgs extends ProjectArgs {
  readonly output: string;
  readonly format: ModelFormat;
}

const buildUsage = `Usage: atlas-bridge build [project] -o <file> [options]

Makes a model or place file of a project (its file, or the folder that holds it; default: the current one).

Options:
  -o, --output <file>       What to write; the ending says how: .rbxl, .rbxlx (places), .rbxm, .rbxmx (models).
${dialectUsage}
  --json                    Print one line of JSON instead of words.
  -h, --help                Show this text.

A project with an error in any of its files is not built; the errors are printed as file:line:column.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

const buildCommand: ProjectCommand<BuildArgs> = {
  name: 'build',
  phase: 'building',
  usage: buildUsage,
  read: args =>
    readProjectArgs('build', args, { output: { type: 'string', short: 'o' } }, ({ output }) => {
      if (output === undefined) return err('-o is missing: it names the file to write');
      const format = modelFormatOf(output);
      return format === undefined
        ? err(`${output} must end in .rbxl, .rbxlx, .rbxm or .rbxmx`)
        : ok({ output, format });
    }),
};

/** `atlas-bridge build`: writes the file whole, or not at all. Answers the exit code. */
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
    const expected = `"$className": "DataModel" at the root, because a place holds services; a ${className} goes into a model (.rbxm, .rbxmx)`;
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
  const words = `Built ${relative(io.cwd, file) || file}: ${instances} instances, ${bytes.value.length} bytes.`;
  return answerDone({ ...counts, warnings, problems: session.diagnostics() }, words, answer);
}
