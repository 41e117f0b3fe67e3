import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { thisMachine } from '../adapters/node/this-machine.ts';
import { ifFound } from '../base/errno.ts';
import { AppError } from '../base/errors.ts';
import { err, ok } from '../base/result.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { PLUGIN_FILE } from '../studio/delivery/plugin-delivery.ts';
import { type Machine, pluginFolders } from '../studio/delivery/plugin-folders.ts';
import { isPlaceFormat, type ModelFormat, modelFormatOf } from '../roblox/formats/model/model-file.ts';
import { buildFile } from './build-file.ts';
import { counted } from '../base/plural.ts';
import { answerDone, answerFailed, type CommandOutput, invalidProject } from './command-answer.ts';
import { type CliIo, exitCodes } from './io.ts';
import type { CommandProject } from './open-project.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type ProjectCommand, runProjectCommand, untilStopped } from './run-project-command.ts';
import { buildSpec } from './table/project-specs.ts';
import { checkOutput, writeCommandOutput } from './write-command-output.ts';

interface BuildArgs extends ProjectArgs {
  /** The file as given, or the name of a file in Studio's plugin folder. */
  readonly output: string;
  readonly isPlugin: boolean;
  readonly format: ModelFormat;
  readonly watch: boolean;
}

const buildCommand: ProjectCommand<BuildArgs> = {
  spec: buildSpec,
  phase: 'building',
  read: args =>
    readProjectArgs(args, buildSpec, ({ output, plugin, watch = false }) => {
      if (plugin !== undefined)
        return output === undefined ? readPluginName(plugin, watch) : err('--output and --plugin exclude each other');
      if (output === undefined) return err('build requires --output <file>');
      const format = modelFormatOf(output);
      return format === undefined
        ? err(`invalid output file '${output}' (.rbxl, .rbxlx, .rbxm or .rbxmx)`)
        : ok({ output, isPlugin: false, format, watch });
    }),
};

function readPluginName(name: string, watch: boolean) {
  if (/[/\\]/.test(name) || name.startsWith('.') || name === '')
    return err(`invalid plugin name '${name}' (a file name)`);
  // File systems of Windows and macOS ignore case.
  if (name.toLowerCase() === PLUGIN_FILE.toLowerCase())
    return err(`invalid plugin name '${name}' (the file of Atlas Bridge's own plugin)`);
  const format = modelFormatOf(name);
  if (format !== undefined && isPlaceFormat(format)) return err(`invalid plugin name '${name}' (.rbxm or .rbxmx)`);
  return ok({ output: format === undefined ? `${name}.rbxm` : name, isPlugin: true, format: format ?? 'rbxm', watch });
}

/** Returns the facts that determine Studio's plugin folders. A test replaces it. */
type FindMachine = () => Promise<Machine>;

/** `atlas-bridge build`: writes each file completely or not at all. Resolves with the exit code. */
export function runBuild(args: readonly string[], io: CliIo, machine: FindMachine = thisMachine()): Promise<number> {
  return runProjectCommand(buildCommand, args, io, async (project, command, answer) => {
    const outputs = command.isPlugin
      ? (await studioPluginFolders(await machine())).map(folder => join(folder, command.output))
      : [resolve(io.cwd, command.output)];
    for (const output of outputs) await checkOutput(output);
    return command.watch ? keepBuilt(project, command, outputs, answer) : build(project, command, outputs, answer);
  });
}

/** @throws AppError STUDIO_NOT_FOUND */
async function studioPluginFolders(machine: Machine): Promise<readonly string[]> {
  const folders = pluginFolders(machine);
  const found: string[] = [];
  for (const { path, requiredFolder } of folders) {
    const proof = requiredFolder === undefined ? undefined : await ifFound(stat(requiredFolder));
    if (requiredFolder === undefined || proof?.isDirectory() === true) found.push(path);
  }
  if (found.length > 0) return found;
  throw new AppError('STUDIO_NOT_FOUND', {
    lookedFor: folders.map(({ path, requiredFolder }) => requiredFolder ?? path),
  });
}

/** Builds after each change, until the command is stopped. An error is reported and does not end the command. */
async function keepBuilt(
  project: CommandProject,
  command: BuildArgs,
  outputs: readonly string[],
  answer: CommandOutput,
): Promise<number> {
  const { io } = answer;
  const queue = new SerialQueue();
  let isQueued = false;
  const failed = Promise.withResolvers<never>();
  const schedule = (): void => {
    if (isQueued) return;
    isQueued = true;
    queue
      .run(io.stop, async () => {
        isQueued = false;
        const [broken] = project.session.diagnostics().filter(({ severity }) => severity === 'error');
        if (broken) answerFailed(invalidProject(broken), project.session.diagnostics(), answer);
        else await build(project, command, outputs, answer).catch((error: unknown) => answerFailed(error, [], answer));
      })
      .catch((error: unknown) => {
        if (!io.stop.aborted) failed.reject(error);
      });
  };
  using _changes = project.session.onDidChange(schedule);
  using _problems = project.session.onDidChangeDiagnostics(schedule);
  schedule();
  await Promise.race([untilStopped(io.stop), failed.promise]);
  return exitCodes.done;
}

async function build(
  project: CommandProject,
  command: BuildArgs,
  outputs: readonly string[],
  answer: CommandOutput,
): Promise<number> {
  const { io } = answer;
  const [output = ''] = outputs;
  const { parts, instances, warnings } = buildFile(project, command.format, output);
  io.stop.throwIfAborted();
  for (const file of outputs) await writeCommandOutput({ folder: project.folder, file, command: 'build' }, parts, io);
  if (!command.json) for (const warning of warnings) io.err(`warning: ${warning}`);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const counts = { output, instances, bytes };
  const shown = command.isPlugin ? outputs.join(', ') : relative(io.cwd, output) || output;
  const words = `Built ${shown}: ${counted(instances, 'instance')}, ${counted(bytes, 'byte')}`;
  return answerDone({ ...counts, warnings, problems: project.session.diagnostics() }, words, answer);
}
