/**
 * The composition root; implements the ports of `app.ts` with VS Code. `activate` only registers commands, views and providers. It does no
 * I/O and yields to the event loop between its parts. The bridge is built after `activate` returns.
 */
import type { LoadGameTests } from '../app/game-tests.ts';
import type { LoadLive } from '../app/lazy-live.ts';
import type { LoadStudioWindow } from '../app/studio-reviews.ts';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import * as vscode from 'vscode';
import { mayExist } from '../base/errno.ts';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { createNodeGitRoots } from '../docs/adapters/node/node-root-host.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { endProgram } from '../adapters/node/end-program.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { installedStudioKey } from '../adapters/node/json-studio-keys.ts';
import { createJsonReviewDrafts } from '../adapters/node/json-review-drafts.ts';
import { beginActivation } from '../vscode/activation-parts.ts';
import { type BridgeLifecycle, createBridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import { registerAgentNotices } from '../sync/vscode/views/agent-notices.ts';
import { registerCommands } from '../sync/vscode/runs/commands.ts';
import { createForwardedPort } from '../vscode/forwarded-port.ts';
import { registerHeadlessCommands } from '../headless-studio/vscode/register-headless-commands.ts';
import { registerLive } from '../vscode/live.ts';
import { registerGuides } from '../vscode/open-guides.ts';
import { createLogger } from '../vscode/logger.ts';
import { registerMcpDefinitions } from '../vscode/mcp/mcp-definitions.ts';
import { addDisposable } from '../vscode/add-disposable.ts';
import type { PlutoEditor } from '../pluto/vscode/open-editor.ts';
import { registerGameView } from '../game-view/vscode/register-game-view.ts';
import { registerPluto } from '../pluto/vscode/register-pluto.ts';
import { createIdleScheduler } from '../vscode/idle-scheduler.ts';
import { announceRenamedSettings } from '../vscode/renamed-settings-notice.ts';
import type { WindowPendingChanges } from '../vscode/pending-changes.ts';
import { activeProject } from '../vscode/project-label.ts';
import { redact } from '../vscode/redact.ts';
import { createLazyEditors } from '../review/vscode/lazy-review-editors.ts';
import type { ReviewEditors } from '../review/vscode/review-editors.ts';
import { closeEndedDiffs } from '../vscode/close-ended-diffs.ts';
import { closeAbandonedMerges } from '../review/vscode/merge-results.ts';
import { readReviewOutcome } from '../review/vscode/review-outcome.ts';
import { ReviewPanel } from '../review/vscode/review-panel.ts';
import { registerRoots } from '../docs/vscode/register-roots.ts';
import { createBridgeToken, loadOrCreateToken } from '../vscode/mcp/token.ts';
import type { ProjectPath } from '../base/brand.ts';
import { runInSlices, TimeSlice } from '../base/time-slice.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { strictTerms } from '../docs/retrieval.ts';
import { type AtlasExports, createExports } from './atlas-exports.ts';
import { keepBridgeStarted } from './keep-bridge-started.ts';
import { registerChanges } from './register-changes.ts';
import type { SyncbackReview } from '../project/vscode/syncback-review.ts';
import { type LazyMachineParts, registerMachine } from './register-machine.ts';
import { type LazyPlaceParts, placeCommands } from './place-commands.ts';
import { registerProject } from './register-project.ts';
import { createProjectServer } from './project-server.ts';
import { createServedFolder } from './served-folder.ts';
import { createWindowCheck } from '../vscode/window-check.ts';
import { windowPlace } from '../vscode/window-place.ts';
import { createUnservedProjects } from '../vscode/unserved-projects.ts';
import type { SharedParts } from './shared-parts.ts';
import { startBridge } from './start-bridge.ts';
import { bundledFiles } from '../headless-studio/bundled-files.ts';
import type { Logger } from '../ports/logger.ts';
import { plutoEntry, toolCatalog } from '../app/tool-catalog.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';

let running: BridgeLifecycle | undefined;
let keepOpenPlace = async (): Promise<void> => {};

export async function activate(context: vscode.ExtensionContext): Promise<AtlasExports> {
  const store = new DisposableStore();
  context.subscriptions.push({ dispose: () => store[Symbol.dispose]() });
  try {
    return await register(context, store);
  } catch (error) {
    // VS Code keeps the registrations of a failed activation; a partly registered extension is worse than none.
    store[Symbol.dispose]();
    throw error;
  }
}

async function register(context: vscode.ExtensionContext, store: DisposableStore): Promise<AtlasExports> {
  const activation = beginActivation();
  const channel = addDisposable(store, vscode.window.createOutputChannel('Atlas Bridge', { log: true }));
  const tokens: string[] = [];
  const secrets = { home: homedir(), userName: basename(homedir()), tokens: () => tokens };
  const log = createLogger(channel, line => redact(line, secrets));
  const { schedule, waitForNextTurn } = store.add(createIdleScheduler(nodeClock, log));
  const token = createBridgeToken(
    () => loadOrCreateToken(context.secrets),
    value => tokens.push(value),
  );
  const showLog = (): void => channel.show(true);
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const cli = vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.js').fsPath;

  const served = createServedFolder(context.workspaceState);
  const storage = context.storageUri ?? context.globalStorageUri;
  const editors = createLazyEditors(store, () => loadReviewEditors(served.root, log.child('review')));
  const panel = store.add(
    new ReviewPanel({
      extensionUri: context.extensionUri,
      clock: nodeClock,
      log: log.child('review'),
      editors,
      drafts: createJsonReviewDrafts(vscode.Uri.joinPath(storage, 'review').fsPath),
      storage: storage.fsPath,
      readOutcome: runId => readReviewOutcome(lifecycle, runId, vscode.l10n),
      project: () => activeProject(lifecycle)?.label,
    }),
  );
  const syncs = createNodeGitRoots(loadGitRoots);
  const lazy = { loadPluto: loadPlutoToolset, loadStudioWindow, loadLive, loadGameTests: gameTestLoader(cli) };
  const unserved = createUnservedProjects();
  const askWindow = canOutliveWindow() ? createWindowCheck(() => lifecycle, reachWindow, nodeClock, log) : undefined;
  const projects = createProjectServer({
    served,
    setUnserved: unserved.set,
    start: async given => startBridge({ ...given, ...lazy, context, panel, log, version, syncs, askWindow }),
    token,
    log,
  });
  const lifecycle = createBridgeLifecycle(
    () => projects.start(),
    projects.activated,
    work => runInSlices(work, new TimeSlice(nodeClock)),
  );
  running = lifecycle;

  const { sharedProjects } = projects;
  const parts: SharedParts = {
    context,
    lifecycle,
    served,
    unserved,
    sharedProjects,
    log,
    schedule,
    showLog,
    version,
    cli,
  };
  const forwarded = store.add(createForwardedPort(lifecycle, log));

  await activation.yieldTo(waitForNextTurn);
  const { pending } = store.add(registerChanges(parts, editors, forwarded, panel.open));

  await activation.yieldTo(waitForNextTurn);
  store.add(
    registerMcpDefinitions({
      lifecycle,
      token: () => token.current(),
      version,
      catalog: [...toolCatalog, plutoEntry],
    }),
  );
  store.add(registerCommands({ lifecycle, panel, log, showLog }));
  const gameLog = log.child('game');
  const loadGame = () => loadGameView(parts, pending, gameLog);
  store.add(registerGameView({ load: loadGame, schedule, log: gameLog }));
  schedule(() => store.add(registerAgentNotices(lifecycle, log)));
  const places = placeCommands(parts, pending, secret => tokens.push(secret), lazyPlaceParts);
  store.add(
    registerProject(
      parts,
      new URL('./data-worker.js', import.meta.url),
      reviewSyncback,
      loadPrograms,
      places,
      loadWriteRecorded,
    ),
  );
  store.add(registerRoots({ lifecycle, syncs, terms: strictTerms, loadAddRoot, log: log.child('roots') }));
  store.add(registerLive(lifecycle, showLog));
  store.add(registerGuides(context.extensionUri));

  await activation.yieldTo(waitForNextTurn);
  const plutoLog = log.child('pluto');
  const load = () => loadPlutoEditor(version, cli, plutoLog);
  const pluto = store.add(
    registerPluto({ load, lifecycle, folder: served.root, panel, cli, endProgram, log: plutoLog }),
  );
  const headlessLog = log.child('headless');
  const key = installedStudioKey(process.env);
  const start = async (place: string, content: string) =>
    (await import('../headless-studio/headless-studio.ts')).startHeadlessStudio({
      ...bundledFiles(),
      place: content,
      placeName: parse(place).name,
      key,
      log: headlessLog,
    });
  const keptPlaces = join(storage.fsPath, 'headless');
  const savePlace = async (file: string, bytes: Uint8Array): Promise<boolean> =>
    (await loadWriteRecorded())({ folder: undefined, file, command: 'headless' }, bytes, headlessLog);
  const loadHeadless = async () =>
    (await import('../headless-studio/vscode/headless-commands.ts')).createHeadlessCommands({
      lifecycle,
      start,
      savePlace,
      kept: (await import('../adapters/node/json-kept-places.ts')).createJsonKeptPlaces(keptPlaces, nodeClock),
      clock: nodeClock,
      log: headlessLog,
    });
  const headless = store.add(registerHeadlessCommands(loadHeadless, () => mayExist(stat(keptPlaces))));
  keepOpenPlace = headless.keepOpenPlace;

  await activation.yieldTo(waitForNextTurn);
  const machine = store.add(registerMachine(parts, forwarded, lazyMachineParts));
  store.add(keepBridgeStarted(lifecycle, served, log));
  store.add(projects.serveOthers(lifecycle, schedule));

  const time = activation.end();
  log.info('activated', { ...time, version });
  // All I/O and all servers start after `activate`.
  schedule(() => void closeEndedDiffs().catch((error: unknown) => log.error('failed to close old diffs', error)));
  schedule(() => void closeAbandonedMerges().catch((error: unknown) => log.error('failed to close old merges', error)));
  schedule(
    () =>
      void announceRenamedSettings(context.globalState, served.root()).catch((error: unknown) =>
        log.error('failed to announce renamed settings', error),
      ),
  );
  schedule(() => void lifecycle.begin());
  schedule(
    () =>
      void loadTestingView(parts).then(
        view => store.add(view),
        (error: unknown) => log.error('failed to load the Testing view', error),
      ),
  );
  schedule(() => machine.begin(pending));
  schedule(
    () => void pluto.begin().catch((error: unknown) => plutoLog.error('failed to look for Pluto modules', error)),
  );
  schedule(
    () =>
      void headless
        .offerKept()
        .catch((error: unknown) => headlessLog.error('failed to offer the places that were open', error)),
  );
  return createExports(lifecycle, unserved, pending, time);
}

/** VS Code waits up to 5 s. It disposes what is registered while this runs. */
export async function deactivate(): Promise<void> {
  await Promise.all([keepOpenPlace(), running?.stop()]);
  running = undefined;
}

/**
 * Whether the extension host can run without its window. On a desktop it cannot: a window that does not answer is busy, stopped in a debugger
 * or asleep.
 */
const canOutliveWindow = (): boolean =>
  windowPlace(vscode.env, vscode.env.uiKind === vscode.UIKind.Web).kind !== 'here';

/** Resolves when the window has run a command. A disconnected window runs it after it reconnects. */
const reachWindow = (): Thenable<unknown> => vscode.commands.executeCommand('setContext', 'atlas.windowAnswers', true);

const loadPrograms = async () => ({
  ...(await import('../adapters/node/run-program.ts')),
  ...(await import('../adapters/node/remove-folder.ts')),
});

const loadWriteRecorded = async () => (await import('./write-recorded.ts')).writeRecorded;

async function reviewSyncback(review: SyncbackReview): Promise<boolean> {
  return (await import('../project/vscode/syncback-review.ts')).reviewSyncback(review);
}

const lazyPlaceParts: LazyPlaceParts = {
  open: async () => ({
    ...(await import('../project/vscode/place-commands.ts')),
    ...(await import('../adapters/node/place-opener.ts')),
  }),
  publish: async () => ({
    ...(await import('../project/vscode/publish-place.ts')),
    ...(await import('../adapters/node/run-program.ts')),
    ...(await import('../adapters/git/git-client.ts')),
    ...(await import('../adapters/git/thread-git.ts')),
  }),
};

const lazyMachineParts: LazyMachineParts = {
  agents: async deps => (await import('../setup/agents/agent-connections.ts')).createAgentConnections(deps),
  firstSteps: async deps => (await import('../setup/vscode/first-steps.ts')).watchFirstSteps(deps),
  flows: async deps => (await import('../setup/vscode/set-up-flows.ts')).createSetUpFlows(deps),
  async findings(facts) {
    const [{ findings }, { formatFinding }] = await Promise.all([
      import('../setup/findings.ts'),
      import('../setup/vscode/finding-text.ts'),
    ]);
    return findings(facts).map(finding => formatFinding(finding, vscode.l10n));
  },
};

async function loadAddRoot() {
  return (await import('../docs/vscode/add-root.ts')).addRoot;
}

async function loadGitRoots() {
  return (await import('../docs/adapters/git-roots/node-git-roots.ts')).nodeGitRoots;
}

/** Loads the Pluto tools for agents. */
async function loadPlutoToolset(): ReturnType<LoadPlutoToolset> {
  const { openToolsetInWorker } = await import('../pluto/vscode/open-toolset.ts');
  return openToolsetInWorker(new URL('./pluto-modules-worker.js', import.meta.url));
}

/** Loads the diff and merge editors of reviews, which most windows never open. */
async function loadReviewEditors(root: () => vscode.Uri | undefined, log: Logger): Promise<ReviewEditors> {
  const { openReviewEditors } = await import('../review/vscode/open-review-editors.ts');
  return openReviewEditors(root, log);
}

/** Loads the reviews in the windows of Studio plugins. */
const loadStudioWindow: LoadStudioWindow = async () =>
  (await import('../sync/review/studio-window.ts')).followReviewsInStudio;

const loadLive: LoadLive = async () => (await import('../app/live.ts')).createLive;

/** Loads the tests of the game, for agents. */
const gameTestLoader =
  (cli: string): LoadGameTests =>
  async deps => {
    const [{ createRunTestsAnswers }, { createGameTestRunner }] = await Promise.all([
      import('../game-tests/tools/answer-run-tests.ts'),
      import('../adapters/node/game-test-program.ts'),
    ]);
    return createRunTestsAnswers({ ...deps, runner: createGameTestRunner(cli) });
  };

/** Waits for the next turn of the event loop, because an import takes one. */
const waitAfterImport = (): Promise<void> => new TimeSlice(nodeClock).waitForNextTurn();

/** Loads the views Game and Properties. */
async function loadGameView({ lifecycle, served, context }: SharedParts, pending: WindowPendingChanges, log: Logger) {
  const { openGameView } = await import('../game-view/vscode/open-game-view.ts');
  await waitAfterImport();
  const { extensionUri } = context;
  return openGameView({ lifecycle, pending, clock: nodeClock, log, folder: served.root, extensionUri });
}

/** Loads the Testing view. */
async function loadTestingView(parts: SharedParts): Promise<Disposable> {
  const { createGameTestRunner } = await import('../adapters/node/game-test-program.ts');
  await waitAfterImport();
  const { registerTestingView } = await import('../game-tests/vscode/testing-view.ts');
  const { served, lifecycle, cli, log } = parts;
  return registerTestingView({
    runner: createGameTestRunner(cli),
    projectFolder: served.projectFolder,
    onDidChangeFolder: lifecycle.onDidChange,
    log,
  });
}

/** Loads the language features for Pluto files, which most workspaces never need. */
async function loadPlutoEditor(version: string, cli: string, log: Logger): Promise<PlutoEditor> {
  const { openPlutoEditor } = await import('../pluto/vscode/open-editor.ts');
  return openPlutoEditor({
    worker: new URL('./pluto-worker.js', import.meta.url),
    tool: { name: 'atlas-bridge', version },
    hash: bytes => nodeHasher.gitBlob(bytes),
    replace: (file, bytes, expected) =>
      createNodeFileSystem(dirname(file), nodeHasher).replace(
        // The file system is rooted at the file's folder, so the path is the file name.
        basename(file) as ProjectPath,
        bytes,
        expected === undefined ? { kind: 'absent' } : { kind: 'hash', gitBlob: expected },
      ),
    clock: nodeClock,
    cli,
    endProgram,
    log,
  });
}
