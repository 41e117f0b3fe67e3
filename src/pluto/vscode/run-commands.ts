import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Logger } from '../../ports/logger.ts';
import { activeFile } from '../../vscode/active-file.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { CONTAINER_SCHEME } from './schemes.ts';
import { createSafeOutput, type SafeOutput } from '../../vscode/safe-output.ts';
import { saveEach } from '../../vscode/save-documents.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { statFile } from '../../vscode/stat-file.ts';

export interface PlutoRunsDeps {
  /** The absolute path of the command line program. */
  readonly cli: string;
  /** Stops a process and its children. */
  readonly endProgram: (child: ChildProcess) => Promise<void>;
  readonly log: Logger;
}

/**
 * Runs the program or the tests of the module in the editor with the command line program, and shows the output. The commands return the
 * exit status, for other extensions and tests; `undefined` if nothing was run.
 */
export function registerPlutoRuns({ cli, endProgram, log }: PlutoRunsDeps): Disposable {
  const store = new DisposableStore();
  let output: SafeOutput | undefined;
  const running = new Set<ChildProcess>();
  store.defer(() => running.forEach(child => void endProgram(child)));
  const shown = (): SafeOutput => (output ??= store.add(createSafeOutput('Pluto')));

  const start = async (command: 'run' | 'test', what: unknown): Promise<number | undefined> => {
    const file = await savedModule(command, what);
    if (file === undefined) return undefined;
    const name = posix.basename(file.path);
    const channel = shown();
    channel.clear();
    channel.show(true);
    const child = spawn(process.execPath, [cli, 'pluto', command, file.fsPath], {
      cwd: (vscode.workspace.getWorkspaceFolder(file)?.uri ?? vscode.Uri.joinPath(file, '..')).fsPath,
      // `execPath` is the editor, which runs as Node with this variable.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      // An output channel accepts no input.
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => channel.addPart(text));
    const title =
      command === 'run' ? vscode.l10n.t('Running {0}', name) : vscode.l10n.t('Running the tests of {0}', name);
    const status = await untilEnded(child, title, endProgram);
    channel.addLine('');
    channel.addLine(
      status === null
        ? vscode.l10n.t('{0} was stopped.', name)
        : vscode.l10n.t('{0} exited with status {1}.', name, status),
    );
    log.debug('a Pluto program ended', { command, status: status ?? 'stopped' });
    return status ?? undefined;
  };
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.runPluto, (what: unknown) => start('run', what)),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.testPluto, (what: unknown) => start('test', what)),
  );
  return store;
}

/** The exit status; `null` if the user stopped it. */
async function untilEnded(
  child: ChildProcess,
  title: string,
  endProgram: PlutoRunsDeps['endProgram'],
): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  let isStopped = false;
  const [status] = await safeWindow.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      token.onCancellationRequested(() => {
        isStopped = true;
        void endProgram(child);
      });
      return closed;
    },
  );
  return isStopped ? null : status;
}

/** The file from the Explorer, or the one in the editor. Saves its edits first. */
async function savedModule(command: 'run' | 'test', what: unknown): Promise<vscode.Uri | undefined> {
  const uri = what instanceof vscode.Uri ? what : activeFile();
  const isModule = uri !== undefined && /\.(?:pluto|pt)$/.test(uri.path);
  if (!isModule || (uri.scheme !== 'file' && uri.scheme !== CONTAINER_SCHEME)) {
    void safeWindow.showWarningMessage(
      command === 'run'
        ? vscode.l10n.t('Open the Pluto module to run.')
        : vscode.l10n.t('Open the Pluto module to test.'),
    );
    return undefined;
  }
  const shown = uri.with({ scheme: 'file' });
  const file = await moduleOf(shown);
  const open = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri: { scheme, path } }) =>
      isDirty && [file.path, shown.path].includes(path) && ['file', CONTAINER_SCHEME].includes(scheme),
  );
  return (await saveEach(open)) ? file : undefined;
}

/** The module of a `.pt` view, which no program imports; the file itself if it has no module. */
async function moduleOf(file: vscode.Uri): Promise<vscode.Uri> {
  if (!file.path.endsWith('.pt')) return file;
  const module = file.with({ path: file.path.replace(/\.pt$/, '.pluto') });
  return (await statFile(module)) === undefined ? file : module;
}
