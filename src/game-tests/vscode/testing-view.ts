import { posix } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Event } from '../../base/emitter.ts';
import { LatestTask } from '../../base/latest-task.ts';
import type { GameTestRunner } from '../../ports/game-tests.ts';
import type { Logger } from '../../ports/logger.ts';
import type { GameTestResult } from '../../protocol/game-tests.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { saveFiles } from '../../vscode/save-documents.ts';
import { createTestItem, testMessage, testOutput } from '../../vscode/safe-tests.ts';
import { isBelow as isFileBelow, watchFolders } from '../../vscode/watch-folders.ts';
import { type ScannedTest, scanTests } from '../scan-tests.ts';

export interface TestingViewDeps {
  readonly runner: GameTestRunner;
  /** The folder of the project file; `undefined` if there is none. */
  readonly projectFolder: () => vscode.Uri | undefined;
  /** Fires when the folder may have changed. */
  readonly onDidChangeFolder: Event<unknown>;
  readonly log: Logger;
}

const TEST_FILES = '**/*.{spec,test}.{luau,lua}';
/** More files than this are a mistake, such as a folder of dependencies. */
const MAX_FILES = 10_000;

/**
 * Shows the tests of the served project in the Testing view, with their positions, and runs them. A window without test files gets no
 * Testing view.
 */
export function registerTestingView(deps: TestingViewDeps): Disposable {
  const { projectFolder, onDidChangeFolder, log } = deps;
  const store = new DisposableStore();
  let tree: TestTree | undefined;
  const listings = new LatestTask<DisposableStore>();
  const list = async (): Promise<void> => {
    const isLatest = listings.begin(store);
    const folder = projectFolder();
    const uris = folder === undefined ? [] : await findTestFiles(folder);
    if (!isLatest()) return;
    if (uris.length > 0) tree ??= openTree(store, deps, list);
    await tree?.show(uris);
  };
  const failed = (error: unknown): void => log.error('failed to list the tests of the game', error);
  const listSoon = (): void => void list().catch(failed);
  let listedFolder: string | undefined;
  // VS Code starts a process in the extension host for each listing.
  const listOfOtherFolder = (): void => {
    const folder = projectFolder()?.toString();
    if (folder === listedFolder) return;
    listedFolder = folder;
    listSoon();
  };
  const watcher = addDisposable(store, vscode.workspace.createFileSystemWatcher(TEST_FILES));
  addDisposable(store, watcher.onDidCreate(listSoon));
  addDisposable(store, watcher.onDidDelete(listSoon));
  store.add(watchFolders({ isUsed: path => tree?.hasFileBelow(path) === true, onChange: listSoon }));
  addDisposable(
    store,
    watcher.onDidChange(uri => void tree?.scanFile(uri).catch(failed)),
  );
  store.add(onDidChangeFolder(listOfOtherFolder));
  listOfOtherFolder();
  return store;
}

const findTestFiles = (folder: vscode.Uri): Thenable<vscode.Uri[]> =>
  vscode.workspace.findFiles(new vscode.RelativePattern(folder, TEST_FILES), '**/node_modules/**', MAX_FILES);

function openTree(store: DisposableStore, deps: TestingViewDeps, list: () => Promise<void>): TestTree {
  const controller = addDisposable(
    store,
    vscode.tests.createTestController('atlas.gameTests', vscode.l10n.t('Roblox Game Tests')),
  );
  const tree = new TestTree(controller, deps.projectFolder);
  controller.refreshHandler = list;
  addDisposable(
    store,
    controller.createRunProfile(
      vscode.l10n.t('Run in Headless Studio'),
      vscode.TestRunProfileKind.Run,
      (request, token) => runRequest(request, token, { ...deps, controller, tree }),
      true,
    ),
  );
  return tree;
}

/** The items of the view: files, and below them blocks and tests. */
class TestTree {
  readonly #controller: vscode.TestController;
  readonly #projectFolder: () => vscode.Uri | undefined;
  readonly #scans = new LatestTask<vscode.TestItem>();

  constructor(controller: vscode.TestController, projectFolder: () => vscode.Uri | undefined) {
    this.#controller = controller;
    this.#projectFolder = projectFolder;
  }

  async show(uris: readonly vscode.Uri[]): Promise<void> {
    const items = uris
      .map(uri => this.#controller.items.get(uri.toString()) ?? this.#fileItem(uri))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    this.#controller.items.replace(items);
    await Promise.all(items.map(item => this.#scan(item)));
  }

  hasFileBelow(folder: vscode.Uri): boolean {
    return [...this.#controller.items].some(([, { uri }]) => uri !== undefined && isFileBelow(uri, folder));
  }

  /** Reads a file of the view again. */
  async scanFile(uri: vscode.Uri): Promise<void> {
    const item = this.#controller.items.get(uri.toString());
    if (item !== undefined) await this.#scan(item);
  }

  async #scan(item: vscode.TestItem): Promise<void> {
    if (item.uri === undefined) return;
    const isLatest = this.#scans.begin(item);
    const source = new TextDecoder().decode(await vscode.workspace.fs.readFile(item.uri));
    if (!isLatest()) return;
    const fill = (parent: vscode.TestItem, tests: readonly ScannedTest[]): void => {
      const items = new Map(tests.map(test => [test.name, this.#childOf(parent, test.name, test.line)]));
      parent.children.replace([...items.values()]);
      for (const { name, children } of tests) {
        const own = items.get(name);
        if (own !== undefined) fill(own, children);
      }
    };
    fill(item, scanTests(source));
  }

  /** The item of a test that runs, created if its name was not known before. */
  find(folder: vscode.Uri, { file, names, line }: Pick<GameTestResult, 'file' | 'names' | 'line'>): vscode.TestItem {
    const uri = vscode.Uri.joinPath(folder, file);
    let at = this.#controller.items.get(uri.toString());
    if (at === undefined) {
      at = this.#fileItem(uri);
      this.#controller.items.add(at);
    }
    for (const name of names) {
      const child: vscode.TestItem = at.children.get(idBelow(at, name)) ?? this.#childOf(at, name, line);
      at.children.add(child);
      at = child;
    }
    return at;
  }

  #fileItem(uri: vscode.Uri): vscode.TestItem {
    const folder = this.#projectFolder();
    const path = folder === undefined ? posix.basename(uri.path) : posix.relative(folder.path, uri.path);
    return createTestItem(this.#controller, uri.toString(), path, uri);
  }

  #childOf(parent: vscode.TestItem, name: string, line: number): vscode.TestItem {
    const item = createTestItem(this.#controller, idBelow(parent, name), name, parent.uri);
    item.range = new vscode.Range(line - 1, 0, line - 1, 0);
    return item;
  }
}

/** JSON, because names may contain any character. */
const idBelow = (parent: vscode.TestItem, name: string): string => `${parent.id}\n${JSON.stringify(name)}`;

interface RunParts extends TestingViewDeps {
  readonly controller: vscode.TestController;
  readonly tree: TestTree;
}

async function runRequest(
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
  { controller, tree, runner, projectFolder, log }: RunParts,
): Promise<void> {
  const folder = projectFolder();
  const run = controller.createTestRun(request);
  try {
    if (folder === undefined) return;
    // Tests run the files on disk.
    if (!(await saveFiles())) return;
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    const wanted = request.include ?? [...controller.items].map(([, item]) => item);
    const pending = new Set(wanted.flatMap(leavesOf));
    for (const item of pending) run.enqueued(item);
    const failures = new Set<string>();
    const isWanted = (item: vscode.TestItem): boolean => isBelow(item, wanted) && !isBelow(item, request.exclude ?? []);
    const query = { project: folder.fsPath, filters: (request.include ?? []).map(item => nameOf(item, folder)) };
    const outcome = await runner.run(query, cancelled.signal, {
      onStarted: test => {
        const item = tree.find(folder, test);
        // A file is loaded first; it is a test only if it has no others.
        if (isWanted(item) && item.children.size === 0) run.started(item);
      },
      onResult: result => {
        const item = tree.find(folder, result);
        pending.delete(item);
        if (isWanted(item)) show(run, item, result, folder, failures);
      },
    });
    if (!outcome.ok && outcome.error.code !== 'CANCELLED')
      for (const item of pending) run.errored(item, testMessage(`${outcome.error.message} ${outcome.error.hint}`));
    // The remaining ones no longer exist, or their names depend on the run.
    else for (const item of pending) run.skipped(item);
  } catch (error) {
    log.error('failed to run the tests of the game', error);
    for (const item of request.include ?? [...controller.items].map(([, item]) => item))
      run.errored(
        item,
        testMessage(vscode.l10n.t('The tests could not be run. The log of Atlas Bridge has the reason.')),
      );
  } finally {
    run.end();
  }
}

const leavesOf = (item: vscode.TestItem): readonly vscode.TestItem[] =>
  item.children.size === 0 ? [item] : [...item.children].flatMap(([, child]) => leavesOf(child));

function isBelow(item: vscode.TestItem, items: readonly vscode.TestItem[]): boolean {
  for (let at: vscode.TestItem | undefined = item; at !== undefined; at = at.parent)
    if (items.includes(at)) return true;
  return false;
}

/** `file > block > test`, as the filter compares it. */
function nameOf(item: vscode.TestItem, folder: vscode.Uri): string {
  const names: string[] = [];
  for (let at: vscode.TestItem | undefined = item; at?.parent !== undefined; at = at.parent)
    names.unshift(String(JSON.parse(at.id.slice(at.parent.id.length + 1)) as unknown));
  return [posix.relative(folder.path, item.uri?.path ?? ''), ...names].join(' > ');
}

/** Shows a result. Tests with the same name share an item, which fails if one of them fails. */
function show(
  run: vscode.TestRun,
  item: vscode.TestItem,
  { status, ms, failure, output, file, line }: GameTestResult,
  folder: vscode.Uri,
  failures: Set<string>,
): void {
  const at = (position: { readonly file: string; readonly line: number }): vscode.Location =>
    new vscode.Location(
      vscode.Uri.joinPath(folder, position.file),
      new vscode.Position(Math.max(position.line - 1, 0), 0),
    );
  for (const { message } of output) run.appendOutput(testOutput(message), at({ file, line }), item);
  if (failure !== undefined) {
    failures.add(item.id);
    const missing = failure.unavailable.map(name => vscode.l10n.t('Headless Studio does not simulate {0}.', name));
    const stack = failure.stack.map(position => `${position.file}:${position.line}`);
    const message = testMessage([failure.message, ...missing, ...stack].join('\n'));
    // The line of the test file that a reader wants to see, or else the innermost one.
    const shown = failure.stack.find(position => position.file === file) ?? failure.stack[0] ?? { file, line };
    message.location = at(shown);
    run.failed(item, message, ms);
  } else if (failures.has(item.id)) return;
  else if (status === 'skipped') run.skipped(item);
  else run.passed(item, ms);
}
