import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeWholeFile } from '../adapters/fs/write-whole-file.ts';
import { AppError } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';
import { isPlaceFormat, type ModelFormat, modelFormatOf, writeModel } from '../core/formats/model/model-file.ts';
import { buildModel } from '../core/sync/build/build-model.ts';
import type { Dialect } from '../core/sync/project/project-file.ts';
import { answerDone, answerFailed, brokenProject, type CommandAnswer, tellProblems } from './command-answer.ts';
import { type CliIo, exitCodes } from './io.ts';
import { type CommandProject, openCommandProject } from './open-project.ts';
import { dialectUsage, readDialect, readProjectArgument } from './project-args.ts';

interface BuildArgs {
  readonly project: string;
  readonly output: string;
  readonly format: ModelFormat;
  readonly dialect: Dialect | undefined;
  readonly json: boolean;
}

const buildUsage = `Usage: atlas-bridge build <project> -o <file> [options]

Makes a model or place file of a project (its file, or the folder that holds it).

Options:
  -o, --output <file>       What to write; the ending says how: .rbxl, .rbxlx (places), .rbxm, .rbxmx (models).
${dialectUsage}
  --json                    Print one line of JSON instead of words.
  -h, --help                Show this text.

A project with an error in any of its files is not built; the errors are printed as file:line:column.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** Reads the arguments behind `build`. The error says what is wrong. */
function readBuildArgs(args: readonly string[]): Result<BuildArgs | 'help', string> {
  const parsed = parse(args);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const project = readProjectArgument('build', positionals);
  if (!project.ok) return project;
  const dialect = readDialect(values.dialect);
  if (!dialect.ok) return dialect;
  if (values.output === undefined) return err('-o is missing: it names the file to write');
  const format = modelFormatOf(values.output);
  if (format === undefined) return err(`${values.output} must end in .rbxl, .rbxlx, .rbxm or .rbxmx`);
  const { output } = values;
  return ok({ project: project.value, output, format, dialect: dialect.value, json: values.json === true });
}

/** `atlas-bridge build`: writes the file whole, or not at all. Answers the exit code. */
export async function runBuild(args: readonly string[], io: CliIo): Promise<number> {
  const read = readBuildArgs(args);
  if (!read.ok) {
    io.err(`atlas-bridge build: ${read.error}.\n\n${buildUsage}`);
    return exitCodes.usage;
  }
  if (read.value === 'help') {
    io.out(buildUsage);
    return exitCodes.done;
  }
  const command = read.value;
  const answer: CommandAnswer = { json: command.json, io };
  try {
    using project = await openCommandProject(command.project, io, { dialect: command.dialect, watch: false });
    const [broken] = tellProblems(project, answer);
    if (broken) return answerFailed(brokenProject(broken), project.session.diagnostics(), answer);
    return await build(project, command, answer);
  } catch (error) {
    if (!(error instanceof AppError) && !io.stop.aborted) throw error;
    const failure = io.stop.aborted ? new AppError('CANCELLED', { phase: 'building' }) : error;
    return answerFailed(failure, [], answer);
  }
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

function parse(args: readonly string[]) {
  try {
    const options = {
      output: { type: 'string', short: 'o' },
      dialect: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return ok(parseArgs({ args: [...args], allowPositionals: true, options }));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
