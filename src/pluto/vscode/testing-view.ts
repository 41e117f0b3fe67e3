import { failureText } from './failure-text.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { LatestTask } from '../../base/latest-task.ts';
import { mayExist } from '../../base/errno.ts';
import type { Logger } from '../../ports/logger.ts';
import { PlutoTestAnswer, type PlutoTestResult } from '../../protocol/pluto-tests.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { saveFiles } from '../../vscode/save-documents.ts';
import { createTestItem, testMessage, testOutput } from '../../vscode/safe-tests.ts';
import { type FolderLanguage, toRange } from './folder-languages.ts';
import { CONTAINER_SCHEME } from './schemes.ts';

export interface PlutoTestingDeps {
  /** The absolute path of the command line program. */
  readonly cli: string;
  /** Stops a process and its children. */
  readonly endProgram: (child: ChildProcess) => Promise<void>;
  /** The languages of the folders with Pluto files. */
  readonly languages: () => readonly FolderLanguage[];
  readonly log: Logger;
}

export interface PlutoTestingView extends Disposable {
  /** Lists the tests of a folder again; called after its modules were checked. */
  refresh(language: FolderLanguage): void;
}

/** Shows the tests of Pluto modules in the Testing view, with their positions, and runs them with the command line program. */
export function registerPlutoTesting({ cli, endProgram, languages, log }: PlutoTestingDeps): PlutoTestingView {
  const store = new DisposableStore();
  const controller = addDisposable(
    store,
    vscode.tests.createTestController('atlas.plutoTests', vscode.l10n.t('Pluto Tests')),
  );
  const running = new Set<ChildProcess>();
  store.defer(() => running.forEach(child => void endProgram(child)));
  let isShown = false;

  const listings = new LatestTask<FolderLanguage>();
  const list = async (language: FolderLanguage): Promise<void> => {
    const isLatest = listings.begin(language);
    const tests = await language.ask('tests', {});
    const files = new Map<string, { readonly uri: vscode.Uri; readonly items: vscode.TestItem[] }>();
    for (const { name, file, range } of tests) {
      const uri = language.uriOf(file);
      const id = uri.toString();
      const known = files.get(id) ?? { uri, items: [] };
      files.set(id, known);
      const item = createTestItem(controller, `${id}\n${JSON.stringify(name)}`, name, uri);
      item.range = toRange(range);
      known.items.push(item);
    }
    // A deleted file that is still open is a module of the language, but its tests cannot run.
    for (const { uri } of vscode.workspace.textDocuments)
      if (files.has(uri.toString()) && !(await mayExist(stat(uri.fsPath)))) files.delete(uri.toString());
    if (!isLatest()) return;
    const isOfFolder = ({ uri }: vscode.TestItem): boolean =>
      uri !== undefined && posix.relative(language.folder.path, uri.path).split('/')[0] !== '..';
    for (const [id, item] of controller.items) if (isOfFolder(item) && !files.has(id)) controller.items.delete(id);
    for (const [id, { uri, items }] of files) {
      const path = posix.relative(language.folder.path, uri.path);
      const item = controller.items.get(id) ?? createTestItem(controller, id, path, uri);
      item.children.replace(items);
      controller.items.add(item);
    }
  };
  const failed = (error: unknown): void => log.error('failed to list the tests of Pluto modules', error);
  const listAll = async (): Promise<void> => {
    isShown = true;
    await Promise.all(languages().map(list));
  };
  // VS Code asks when the Testing view is first opened.
  controller.resolveHandler = async item => {
    if (item === undefined) await listAll().catch(failed);
  };
  controller.refreshHandler = () => listAll().catch(failed);

  /** Runs the tests of one module. @param filter part of the names of the tests to run */
  const runModule = async (module: vscode.Uri, filter: string, token: vscode.CancellationToken) => {
    const child = spawn(process.execPath, [cli, 'pluto', 'test', module.fsPath, '--filter', filter, '--json'], {
      cwd: folderOf(module).fsPath,
      // `execPath` is the editor, which runs as Node with this variable.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    running.add(child);
    using _cancelled = asDisposable(token.onCancellationRequested(() => void endProgram(child)));
    let printed = '';
    try {
      for await (const text of child.stdout.setEncoding('utf8')) printed += String(text);
    } finally {
      running.delete(child);
    }
    return token.isCancellationRequested ? undefined : PlutoTestAnswer.parse(JSON.parse(printed));
  };

  const runRequest = async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> => {
    const run = controller.createTestRun(request);
    const wanted = request.include ?? [...controller.items].map(([, item]) => item);
    const excluded = new Set(request.exclude?.flatMap(leavesOf));
    const leaves = new Set(wanted.flatMap(leavesOf).filter(item => !excluded.has(item)));
    const modules = Map.groupBy(leaves, item => item.uri?.toString() ?? '');
    for (const item of leaves) run.enqueued(item);
    try {
      // Tests run the files on disk.
      if (!(await saveFiles())) return;
      for (const items of modules.values()) {
        const uri = items[0]?.uri;
        if (token.isCancellationRequested || uri === undefined) break;
        for (const item of items) run.started(item);
        const [only] = items;
        const filter = items.length === 1 && only !== undefined ? nameOf(only) : '';
        const answer = await runModule(uri.with({ scheme: 'file' }), filter, token);
        if (answer !== undefined) showAnswer(run, items, answer);
      }
    } catch (error) {
      log.error('failed to run the tests of Pluto modules', error);
      const reason = vscode.l10n.t('The tests could not be run. The log of Atlas Bridge has the reason.');
      for (const item of leaves) run.errored(item, testMessage(reason));
    } finally {
      run.end();
    }
  };
  addDisposable(
    store,
    controller.createRunProfile(vscode.l10n.t('Run'), vscode.TestRunProfileKind.Run, runRequest, true),
  );
  return {
    refresh(language) {
      if (isShown) void list(language).catch(failed);
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

const asDisposable = (one: vscode.Disposable): Disposable => ({ [Symbol.dispose]: () => void one.dispose() });

const leavesOf = (item: vscode.TestItem): readonly vscode.TestItem[] =>
  item.children.size === 0 ? [item] : [...item.children].map(([, child]) => child);

const nameOf = ({ id }: vscode.TestItem): string => String(JSON.parse(id.slice(id.indexOf('\n') + 1)) as unknown);

/** The folder that a module is run in, and that its positions are relative to. */
const folderOf = (module: vscode.Uri): vscode.Uri =>
  vscode.workspace.getWorkspaceFolder(module)?.uri ?? vscode.Uri.joinPath(module, '..');

/** Shows the results of a module. A test without a result did not run. */
function showAnswer(run: vscode.TestRun, items: readonly vscode.TestItem[], answer: PlutoTestAnswer): void {
  const results = new Map(answer.results?.map(result => [result.name, result]));
  const [finding] = answer.diagnostics ?? [];
  for (const item of items) {
    const result = results.get(nameOf(item));
    if (result?.passed === true) run.passed(item);
    else if (result !== undefined) showFailure(run, item, result);
    else if (finding !== undefined) {
      const message = testMessage(finding.message);
      message.location = locationOf(item, finding);
      run.errored(item, message);
    } else if (answer.error === undefined) run.skipped(item);
    else run.errored(item, testMessage([answer.error.message, answer.error.hint ?? ''].join(' ').trimEnd()));
  }
}

function showFailure(run: vscode.TestRun, item: vscode.TestItem, { output = '', stack = [] }: PlutoTestResult): void {
  run.appendOutput(testOutput(output.trimEnd()), undefined, item);
  const message = testMessage(failureText(output));
  const own = stack.find(position => locationOf(item, position).uri.toString() === item.uri?.toString());
  const shown = own ?? stack[0];
  if (shown !== undefined) message.location = locationOf(item, shown);
  run.failed(item, message);
}

/** A position that the command line names, relative to the folder of the module. */
function locationOf(
  { uri }: vscode.TestItem,
  { file, line }: { readonly file: string; readonly line: number },
): vscode.Location {
  const folder = uri === undefined ? '/' : folderOf(uri.with({ scheme: 'file' })).fsPath;
  const shown = vscode.Uri.file(resolve(folder, file));
  // A module in a container is shown as its view.
  const isOwnView = uri?.scheme === CONTAINER_SCHEME && shown.path === uri.path;
  return new vscode.Location(isOwnView ? uri : shown, new vscode.Position(Math.max(line - 1, 0), 0));
}
