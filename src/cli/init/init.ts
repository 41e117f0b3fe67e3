import { mkdir, realpath } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { findFirstExisting, repositoryOf } from '../../adapters/fs/project-reach.ts';
import { createWholeFile } from '../../adapters/fs/write-whole-file.ts';
import { inheritedVariables, runGit } from '../../adapters/git/run-git.ts';
import { AppError } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { defaultProjectNames } from '../../project/project-file/project-names.ts';
import { answerDone, answerFailed } from '../command-answer.ts';
import { counted } from '../../base/plural.ts';
import type { CliIo } from '../io.ts';
import { type Command, parseOptions, runCommand } from '../run-command.ts';
import { shellWord } from '../shell-word.ts';
import { initSpec } from '../table/project-specs.ts';
import { projectFiles, type ProjectKind, projectKinds } from '../../setup/project-templates.ts';
import { writeNewProject } from '../../setup/write-new-project.ts';

interface InitArgs {
  /** As given, relative to the current folder. */
  readonly path: string;
  readonly kind: ProjectKind;
  readonly hasGit: boolean;
  readonly json: boolean;
}

const initCommand: Command<InitArgs> = { spec: initSpec, read: readInitArgs };

/** The kinds that correspond to Argon's templates. */
const templates: Readonly<Record<string, ProjectKind>> = { package: 'library', quick: 'place', empty: 'place' };

function readInitArgs(args: readonly string[]): Result<InitArgs | 'help', string> {
  const parsed = parseOptions(args, initSpec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [path = '.', unexpected] = positionals;
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  const given = values.kind ?? 'place';
  const kind =
    projectKinds.find(one => one === given) ?? (Object.hasOwn(templates, given) ? templates[given] : undefined);
  if (kind === undefined) return err(`unknown kind '${given}' (${projectKinds.join(', ')})`);
  if (values.git === true && values['skip-git'] === true) return err('--git and --skip-git exclude each other');
  return ok({ path, kind, hasGit: values['skip-git'] !== true, json: values.json === true });
}

/** `atlas-bridge init`. Resolves with the exit code. */
export function runInit(args: readonly string[], io: CliIo): Promise<number> {
  return runCommand(initCommand, args, io, async command => {
    const answer = { json: command.json, io };
    try {
      return await init(command, io);
    } catch (error) {
      return answerFailed(error, [], answer);
    }
  });
}

async function init({ path, kind, hasGit, json }: InitArgs, io: CliIo): Promise<number> {
  const given = resolve(io.cwd, path);
  await mkdir(given, { recursive: true });
  const folder = await realpath(given);
  const existing = await findFirstExisting(folder, defaultProjectNames());
  if (existing !== undefined) throw new AppError('PROJECT_EXISTS', { file: join(folder, existing) });
  const files = Object.entries(projectFiles(kind, basename(folder)));
  const { created, kept } = await writeNewProject(files, ['default.project.json'], (name, text) =>
    createWholeFile(join(folder, name), text),
  );
  const git = hasGit ? await createRepository(folder, io) : 'skipped';
  const shown = relative(io.cwd, folder) || '.';
  if (!json) {
    for (const name of kept) io.err(`note: kept ${name}, which exists`);
    if (git === 'failed') io.err('warning: no git repository was created: install git, or pass --skip-git');
  }
  const output = `${basename(folder)}.${kind === 'place' ? 'rbxl' : 'rbxm'}`;
  const words = [
    `Created a ${kind} in ${shown}: ${counted(created.length, 'file')}${git === 'created' ? ' and a git repository' : ''}`,
    `Next: ${shown === '.' ? '' : `cd ${shellWord(shown)} && `}atlas-bridge build --output ${shellWord(output)}`,
  ];
  return answerDone({ kind, folder, created, kept, git }, words, { json, io });
}

async function createRepository(folder: string, io: CliIo): Promise<'created' | 'existing' | 'failed'> {
  if ((await repositoryOf(folder)) !== undefined) return 'existing';
  const variables = inheritedVariables([]);
  return runGit({ folder, variables, config: [], signal: io.stop }, ['init', '--quiet']).then(
    () => 'created',
    () => 'failed',
  );
}
