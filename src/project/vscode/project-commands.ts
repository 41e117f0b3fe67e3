import { basename } from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { CommandAnswer } from '../../protocol/command-answer.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { buildOutcome, type WithOutcome } from '../../vscode/command-outcome.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { projectFilesIn } from '../../vscode/project-files.ts';
import { withCancel } from '../../vscode/with-cancel.ts';
import { warnInSlices } from '../../vscode/warn-in-slices.ts';
import { showSaveDialog } from '../../vscode/file-dialogs.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { saveFiles } from '../../vscode/save-documents.ts';
import { showFailure, showWithLog } from '../../vscode/show-with-log.ts';

export interface ProjectCommandsDeps {
  /** The folder of the project. */
  readonly folder: () => Promise<vscode.Uri | undefined>;
  /** Runs a command of `atlas-bridge`. */
  readonly run: (args: readonly string[], signal: AbortSignal) => Promise<CommandAnswer>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly showLog: () => void;
}

/** Arguments from other extensions and tests. The user is asked for missing ones. */
export interface ProjectCommandArguments {
  /** Path of the project file. */
  readonly project?: string;
  /** Path of the file to write. */
  readonly output?: string;
  /** Path of the place file to write or open in Studio. */
  readonly file?: string;
  /** Ids of the place to publish. */
  readonly placeId?: string;
  readonly universeId?: string;
}

type ChoiceCommand = (choice: ProjectCommandArguments) => Promise<WithOutcome | undefined>;

/** Commands that are loaded on first use. */
export interface LazyProjectCommands {
  readonly buildAndOpen: ChoiceCommand;
  readonly openInStudio: ChoiceCommand;
  readonly publish: ChoiceCommand;
  readonly forgetApiKey: () => Promise<WithOutcome>;
}

/** Registers the commands that use a project or its places. Each returns its outcome; `undefined` when the user cancels or a file cannot be saved. */
export function registerProjectCommands(deps: ProjectCommandsDeps, lazy: LazyProjectCommands): Disposable {
  const store = new DisposableStore();
  const build = async (choice: ProjectCommandArguments = {}): Promise<CommandAnswer | undefined> => {
    const folder = await folderOrMessage(deps);
    const project = folder && (choice.project ?? (await chooseProject(folder)));
    const output =
      folder &&
      project &&
      (choice.output ??
        (await chooseOutput(folder, project, vscode.l10n.t('Atlas Bridge: Build Place or Model File'))));
    if (!output || !project) return undefined;
    const title = vscode.l10n.t('Building {0}', basename(output));
    const answer = await runOnSaved(deps, title, ['build', project, '-o', output]);
    return answer && (await showOutcome(deps, output, answer));
  };
  const writeSourcemap = async (choice: ProjectCommandArguments = {}): Promise<CommandAnswer | undefined> => {
    const folder = await folderOrMessage(deps);
    const project = folder && (choice.project ?? (await chooseProject(folder)));
    if (!folder || !project) return undefined;
    const output = choice.output ?? vscode.Uri.joinPath(folder, 'sourcemap.json').fsPath;
    const args = ['sourcemap', project, '-o', output, '--include-non-scripts'];
    const answer = await runOnSaved(deps, vscode.l10n.t('Writing the sourcemap'), args);
    return answer && (await showOutcome(deps, output, answer));
  };
  const withOutcome =
    (handle: typeof build) =>
    async (choice: ProjectCommandArguments): Promise<WithOutcome<CommandAnswer> | undefined> => {
      const answer = await handle(choice);
      return answer && { ...answer, outcome: buildOutcome(answer) };
    };
  for (const [id, handle] of [
    [commandIds.build, withOutcome(build)],
    [commandIds.writeSourcemap, withOutcome(writeSourcemap)],
    [commandIds.buildAndOpen, lazy.buildAndOpen],
    [commandIds.openInStudio, lazy.openInStudio],
    [commandIds.publish, lazy.publish],
    [commandIds.forgetApiKey, lazy.forgetApiKey],
  ] as const) {
    const guarded = async (choice?: unknown): Promise<WithOutcome | undefined> => {
      try {
        return await handle(readChoice(choice));
      } catch (error) {
        deps.log.error(`${id} failed`, error);
        throw error;
      }
    };
    addDisposable(store, vscode.commands.registerCommand(id, guarded));
  }
  return store;
}

/**
 * Runs a command that reads the files on disk, after it has saved what is edited in the editor. Returns `undefined`, with a message to the
 * user, if a file could not be saved.
 */
export async function runOnSaved(
  { run }: Pick<ProjectCommandsDeps, 'run'>,
  title: string,
  args: readonly string[],
): Promise<CommandAnswer | undefined> {
  if (!(await saveFiles())) return undefined;
  return await withCancel(title, signal => run(args, signal));
}

/** Reads command arguments. VS Code passes other arguments when a command is started from a menu. */
function readChoice(raw: unknown): ProjectCommandArguments {
  if (typeof raw !== 'object' || raw === null || raw instanceof vscode.Uri) return {};
  const names = ['project', 'output', 'file', 'placeId', 'universeId'] as const;
  const given = names.map(name => [name, Reflect.get(raw, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string'));
}

/** The folder of the project; `undefined`, with a message to the user, if there is none or it is not trusted. */
export async function folderOrMessage({
  folder,
}: Pick<ProjectCommandsDeps, 'folder'>): Promise<vscode.Uri | undefined> {
  const found = vscode.workspace.isTrusted ? await folder() : undefined;
  if (found === undefined)
    void safeWindow.showWarningMessage(vscode.l10n.t('Open a folder with a project file and trust it first.'));
  return found;
}

/**
 * Lets the user choose among the project files directly in the folder. Without a choice, the only file, or the folder itself.
 *
 * @returns an absolute path; `undefined` when the user cancels
 */
export async function chooseProject(folder: vscode.Uri): Promise<string | undefined> {
  const files = (await projectFilesIn(folder)).map(file => file.fsPath);
  if (files.length < 2) return files[0] ?? folder.fsPath;
  const items = files.map(file => ({ label: basename(file), file }));
  const picked = await safeWindow.showQuickPick(items, { title: vscode.l10n.t('Atlas Bridge: Choose a Project') });
  return picked?.file;
}

/** Lets the user choose the file to write; an absolute path, `undefined` when the user cancels. */
export async function chooseOutput(
  folder: vscode.Uri,
  project: string,
  title: string,
  filters: Readonly<Record<string, string[]>> = {
    [vscode.l10n.t('Place')]: ['rbxl', 'rbxlx'],
    [vscode.l10n.t('Model')]: ['rbxm', 'rbxmx'],
  },
): Promise<string | undefined> {
  const stem = basename(project).replace(/\.project\.json[5c]?$/, '');
  const name = stem === 'default' ? basename(folder.fsPath) : stem;
  const file = await showSaveDialog({
    title,
    button: vscode.l10n.t('Build'),
    defaultUri: vscode.Uri.joinPath(folder, `${name}.rbxl`),
    filters,
  });
  return file?.fsPath;
}

/** A problem of a project file as a line of the log. */
export const problemLine = ({ file, line, column, message }: CommandAnswer['problems'][number]): string =>
  `${file}:${line}:${column}: ${message}`;

/** Shows the outcome without waiting for an answer, because an open notification must not block the command. */
async function showOutcome(
  { log, clock, showLog }: ProjectCommandsDeps,
  output: string,
  answer: CommandAnswer,
): Promise<CommandAnswer> {
  const name = basename(output);
  if (answer.ok) {
    await warnInSlices(log, clock, answer.warnings);
    const left = answer.warnings.length;
    if (left === 0) void safeWindow.showInformationMessage(vscode.l10n.t('{0} was written.', name));
    else
      showWithLog(
        'showWarningMessage',
        plural(
          left,
          vscode.l10n.t('{0} was written, but 1 reference has no target.', name),
          vscode.l10n.t('{0} was written, but {1} references have no target.', name, left),
        ),
        showLog,
      );
  } else if (answer.error.code === 'CANCELLED') {
    void safeWindow.showInformationMessage(vscode.l10n.t('Cancelled: {0} was not written.', name));
  } else {
    await warnInSlices(log, clock, answer.problems.map(problemLine));
    showFailure(answer.error, showLog);
  }
  return answer;
}
