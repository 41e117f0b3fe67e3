/**
 * The first composition root: fills the ports of `app.ts` from VS Code. Two stages: `activate` registers what the editor must know
 * of at once and does no I/O; the bridge is built after it has returned.
 */
import { access, readFile, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { createNodeFileSystem } from './adapters/fs/node-file-system.ts';
import { firstThere, projectReach } from './adapters/fs/project-reach.ts';
import { writeWholeFile } from './adapters/fs/write-whole-file.ts';
import { createSimpleGit } from './adapters/git/simple-git-client.ts';
import { announceBridge } from './adapters/node/announced-bridges.ts';
import { readCardFile } from './adapters/node/card-file.ts';
import { nodeClock } from './adapters/node/clock.ts';
import { findOnPath } from './adapters/node/find-on-path.ts';
import { keepLauncher, launcherPath, launcherText } from './adapters/node/launcher.ts';
import { nodeHasher } from './adapters/node/hasher.ts';
import { nodeInflate } from './adapters/node/inflate.ts';
import { createNodePluginFiles } from './adapters/node/node-plugin-files.ts';
import { createFileRunLock } from './adapters/node/file-run-lock.ts';
import { createJsonBaseStore } from './adapters/node/json-base-store.ts';
import { createJsonReviewDrafts } from './adapters/node/json-review-drafts.ts';
import { createJsonJournalStore } from './adapters/node/json-journal-store.ts';
import { nodeRandom } from './adapters/node/random.ts';
import { runProgram, runSyncbackProgram } from './adapters/node/run-program.ts';
import { readReflectionFile } from './adapters/node/reflection-file.ts';
import { runLockFile, userStateFolder } from './adapters/node/state-folder.ts';
import { newToken } from './adapters/node/token-store.ts';
import { thisMachine } from './adapters/node/this-machine.ts';
import { nodeGitRoots } from './adapters/git-roots/node-git-roots.ts';
import { nodeRootCheckouts } from './adapters/roots/node-root-checkouts.ts';
import { nodeRootFiles } from './adapters/roots/node-root-files.ts';
import { createRipgrepSearch } from './adapters/search/ripgrep.ts';
import { locateRipgrep, type RipgrepPlaces } from './adapters/search/ripgrep-locator.ts';
import { type BridgeLife, createBridgeLife } from './adapters/vscode/bridge-life.ts';
import { registerCommands } from './adapters/vscode/commands.ts';
import { createPending, type Pending } from './adapters/vscode/pending.ts';
import { registerDailyUse } from './adapters/vscode/daily-use/register-daily-use.ts';
import { createDiffDocuments } from './adapters/vscode/diff-documents.ts';
import { FileFindings } from './adapters/vscode/file-findings.ts';
import { createFileWatcher } from './adapters/vscode/file-watcher.ts';
import { registerJson5Documents } from './adapters/vscode/json5-documents.ts';
import { registerLive } from './adapters/vscode/live.ts';
import { registerHeadlessCommands } from './adapters/vscode/headless-commands.ts';
import { createForwardedPort } from './adapters/vscode/forwarded-port.ts';
import { installPlugin } from './adapters/vscode/install-plugin.ts';
import { createLogger } from './adapters/vscode/logger.ts';
import { registerMcpDefinitions } from './adapters/vscode/mcp-definitions.ts';
import type { OpenedPluto } from './adapters/vscode/pluto/open-pluto.ts';
import { registerPluto } from './adapters/vscode/pluto/register-pluto.ts';
import { registerPlutoRuns } from './adapters/vscode/pluto/run-commands.ts';
import { registerSyncPt } from './adapters/vscode/pluto/sync-pt-command.ts';
import { createNotices } from './adapters/vscode/notices.ts';
import { own } from './adapters/vscode/owned.ts';
import { registerPluginCommands } from './adapters/vscode/plugin-commands.ts';
import { createProjectDiagnostics } from './adapters/vscode/project-diagnostics.ts';
import { registerProjectCommands } from './adapters/vscode/project-commands.ts';
import { chosenFolderKey, findProjectFolder, type ProjectFolder } from './adapters/vscode/project-folder.ts';
import { redact } from './adapters/vscode/redact.ts';
import { createReviewEditors } from './adapters/vscode/review-editors.ts';
import { fateOfReview } from './adapters/vscode/review-fate.ts';
import { ReviewPanel } from './adapters/vscode/review-panel.ts';
import { type AnnouncedGitRoots, announcedGitRoots } from './adapters/git-roots/announced-git-roots.ts';
import { registerRoots } from './adapters/vscode/roots/register-roots.ts';
import { rootEnvironment } from './adapters/vscode/roots/root-environment.ts';
import { createSettings, type EditorSettings } from './adapters/vscode/settings.ts';
import { createSourcemapAutoWrite } from './adapters/vscode/sourcemap-auto-write.ts';
import { createStatusBar, differingOf } from './adapters/vscode/status-bar.ts';
import { statusLine } from './adapters/vscode/status.ts';
import { registerSyncbackCommand } from './adapters/vscode/syncback-command.ts';
import { registerSetUp } from './adapters/vscode/set-up/register-set-up.ts';
import { forgetToken, loadOrCreateToken } from './adapters/vscode/token.ts';
import { type Bridge, createBridge } from './app.ts';
import type { ProjectPath } from './base/brand.ts';
import { DisposableStore } from './base/disposable-store.ts';
import { type AgentConnections, createAgentConnections } from './core/agents/agent-connections.ts';
import { findings } from './core/set-up/findings.ts';
import { followPendingChanges } from './core/review/pending-changes.ts';
import { createReflection, type ReflectionData } from './core/dom/reflection.ts';
import { isContainer } from './core/pluto/container/byte-sections.ts';
import { createPluginDelivery, PLUGIN_FILE, type PluginDelivery } from './core/studio/delivery/plugin-delivery.ts';
import { strictTerms } from './core/retrieval/retrieval.ts';
import { keepSourcemap } from './core/sync/keep-sourcemap.ts';
import { foldersAbove } from './core/sync/project/folders-above.ts';
import { defaultProjectNames } from './core/sync/project/project-names.ts';
import type { ProjectSession } from './core/sync/project-session.ts';
import { bundledFiles } from './headless-studio/bundled-files.ts';
import { startHeadlessStudio } from './headless-studio/headless-studio.ts';
import type { Logger } from './ports/logger.ts';
import { plutoEntry, toolCatalog } from './tools/catalog.ts';
import type { LoadPluto } from './tools/pluto/pluto-slot.ts';

/** What other extensions and tests may look at; plain data at every look. */
export interface AtlasExports {
  readonly activationMs: number;
  readonly state: string;
  /** What the status bar says, without its icon. */
  readonly status: string;
  readonly studioUrl: string | undefined;
  readonly mcpUrl: string | undefined;
}

let running: BridgeLife | undefined;
/** Where the port of this workspace's bridge is kept, from one window to the next. */
const PORT_KEY = 'atlas.port';

export function activate(context: vscode.ExtensionContext): AtlasExports {
  const began = performance.now();
  const store = new DisposableStore();
  context.subscriptions.push({ dispose: () => store[Symbol.dispose]() });
  const channel = own(store, vscode.window.createOutputChannel('Atlas Bridge', { log: true }));
  const tokens: string[] = [];
  const secrets = { home: homedir(), userName: basename(homedir()), tokens: () => tokens };
  const log = createLogger(channel, line => redact(line, secrets));
  let token: Promise<string> | undefined;
  const readToken = (): Promise<string> =>
    (token ??= loadOrCreateToken(context.secrets).then(value => (tokens.push(value), value)));

  // Where the paths of the project begin, and where its file is: the same for most projects.
  let folder: vscode.Uri | undefined;
  let projectFolder: vscode.Uri | undefined;
  const diffs = store.add(createDiffDocuments(() => folder));
  const storage = context.storageUri ?? context.globalStorageUri;
  const editors = store.add(createReviewEditors({ diffs, storage, log: log.child('review') }));
  const panel = store.add(
    new ReviewPanel({
      extensionUri: context.extensionUri,
      clock: nodeClock,
      log: log.child('review'),
      editors,
      drafts: createJsonReviewDrafts(vscode.Uri.joinPath(storage, 'review').fsPath),
      fateOf: runId => fateOfReview(life, runId),
    }),
  );
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const syncs = announcedGitRoots(nodeGitRoots);
  const findServed = () => findProjectFolder(context.workspaceState.get<string>(chosenFolderKey));
  const life = createBridgeLife(async () => {
    if (!vscode.workspace.isTrusted) return 'restricted';
    const found = await findServed();
    if (found === undefined) return 'noFolder';
    const { root, projectFile } = await reachOfProject(found);
    folder = root;
    projectFolder = found.uri;
    log.info('serving folder', { folder: folder.fsPath, folders: vscode.workspace.workspaceFolders?.length ?? 0 });
    return startBridge({ context, folder, projectFile, panel, log, version, token: await readToken(), syncs });
  });
  running = life;
  const pending = store.add(
    createPending(
      life,
      bridge =>
        followPendingChanges({
          engine: bridge.engine,
          studios: bridge.studios,
          session: () => bridge.session(),
          onDidChangeProject: bridge.onDidChangeProject,
          clock: nodeClock,
        }),
      () => createSettings(folder).changesAutoRefresh(),
    ),
  );
  store.add(createStatusBar(life, pending));
  const forwarded = store.add(createForwardedPort(life, log));
  store.add(
    registerDailyUse({
      life,
      pending,
      editors,
      folder: () => folder,
      projectFolder: () => projectFolder,
      port: forwarded,
      showBadges: () => createSettings(folder).explorerBadges(),
      state: context.workspaceState,
      log: log.child('changes'),
    }),
  );
  const problems = own(store, vscode.languages.createDiagnosticCollection('atlas'));
  const fileFindings = new FileFindings<vscode.Diagnostic>((file, found) =>
    problems.set(vscode.Uri.parse(file), found),
  );
  store.add(createProjectDiagnostics(life, () => folder, fileFindings));
  store.add(registerMcpDefinitions({ life, token: readToken, version, catalogue: [...toolCatalog, plutoEntry] }));
  store.add(registerCommands({ life, panel, log, showLog: () => channel.show(true) }));
  store.add(
    createSourcemapAutoWrite({
      life,
      folder: () => projectFolder,
      isOn: root => createSettings(root).sourcemapAutoWrite(),
      keep: (session, root) => keepSourcemapFile(session, root, log),
    }),
  );
  const cli = vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.js').fsPath;
  store.add(
    registerProjectCommands({
      folder: async () => projectFolder ?? (await findServed())?.uri,
      run: (args, signal) => runProgram(cli, args, signal),
      log,
      showLog: () => channel.show(true),
    }),
  );
  store.add(
    registerSyncbackCommand({
      folder: async () => projectFolder ?? (await findServed())?.uri,
      run: (args, signal, ask) => runSyncbackProgram(cli, args, signal, ask),
      log,
      showLog: () => channel.show(true),
    }),
  );
  store.add(registerRoots({ life, syncs, terms: strictTerms, log: log.child('roots') }));
  store.add(
    registerJson5Documents({
      worker: new URL('./json5-worker.js', import.meta.url),
      schemas: vscode.Uri.joinPath(context.extensionUri, 'media', 'schemas').fsPath,
      findings: fileFindings,
      log,
    }),
  );
  store.add(registerLive(life, () => channel.show(true)));
  const plutoLog = log.child('pluto');
  const editor = { load: () => loadPluto(version, plutoLog), isContainer, log: plutoLog };
  const pluto = store.add(registerPluto({ ...editor, life, folder: () => folder }));
  store.add(registerSyncPt({ life, folder: () => folder, panel, log: plutoLog }));
  store.add(registerPlutoRuns({ cli, log: plutoLog }));
  const headlessLog = log.child('headless');
  const start = (place: string) => startHeadlessStudio({ ...bundledFiles(), place, log: headlessLog });
  store.add(registerHeadlessCommands({ life, start, clock: nodeClock, log: headlessLog }));
  const delivery = deliverPlugin(context, version);
  const pluginFile = vscode.Uri.joinPath(context.extensionUri, 'dist', PLUGIN_FILE).fsPath;
  const install = () => installPlugin(delivery, pluginFile);
  const plugin = store.add(registerPluginCommands({ delivery, install, version, log: log.child('plugin') }));
  const launcher = launcherPath(userStateFolder(process.env));
  const launched = launcherText(process.execPath, cli);
  const setUp = store.add(
    registerSetUp({
      life,
      delivery,
      install,
      forwarded,
      agents: connectAgents(context, launcher, () => projectFolder),
      version,
      wishedPort: () => createSettings(folder).port(),
      hasGit: async () => (await findOnPath('git', process.env['PATH'])) !== undefined,
      hasRipgrep: async () => (await locateRipgrep(ripgrepPlaces(createSettings(folder)))) !== undefined,
      keepLauncher: () => keepLauncher(launcher, launched),
      judge: findings,
      forget: () => forgetMachine(context, launcher),
      folder: async () => projectFolder ?? (await findServed())?.uri,
      log: log.child('set-up'),
    }),
  );
  store.add(restartWhenNeeded(life, log));
  const activationMs = performance.now() - began;
  log.info('activated', { ms: Math.round(activationMs * 10) / 10, version });
  // Everything that reads or listens comes after `activate` has returned.
  setImmediate(() => {
    void life.begin().then(state => logFailure(state, log));
    void plugin.update().then(() => setUp.refresh());
    pluto.begin().catch((error: unknown) => plutoLog.error('modules were not looked for', error));
    keepLauncher(launcher, launched, true).catch((error: unknown) => log.error('the launcher was not renewed', error));
  });
  return exportsOf(life, pending, activationMs);
}

export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}

interface StartDeps {
  readonly context: vscode.ExtensionContext;
  readonly folder: vscode.Uri;
  /** `undefined`: the one that the folder's default names find. */
  readonly projectFile: ProjectPath | undefined;
  readonly panel: ReviewPanel;
  readonly log: Logger;
  readonly version: string;
  readonly token: string;
  readonly syncs: AnnouncedGitRoots;
}

async function startBridge({
  context,
  folder,
  projectFile,
  panel,
  log,
  version,
  token,
  syncs,
}: StartDeps): Promise<Bridge> {
  const settings = createSettings(folder);
  const storage = context.storageUri ?? context.globalStorageUri;
  // Generated by this build from the class database; its shape is `ReflectionData` by construction.
  const reflection = createReflection((await readReflectionFile()) as ReflectionData);
  const ripgrep = await locateRipgrep(ripgrepPlaces(settings));
  log.info('searching roots', { ripgrep: ripgrep ?? 'none, so files are walked' });
  const kept = context.workspaceState.get<unknown>(PORT_KEY);
  // For programs of the same user that cannot ask VS Code: as long as this bridge runs, in a file that only the user can read.
  const shimToken = newToken();
  const bridge = await createBridge(
    {
      files: createNodeFileSystem(folder.fsPath, nodeHasher),
      watcher: createFileWatcher(folder),
      git: createSimpleGit(folder.fsPath, log.child('git')),
      clock: nodeClock,
      random: nodeRandom,
      hasher: nodeHasher,
      inflate: nodeInflate,
      journal: createJsonJournalStore(vscode.Uri.joinPath(storage, 'journal').fsPath),
      bases: createJsonBaseStore(vscode.Uri.joinPath(storage, 'base').fsPath),
      runLock: createFileRunLock(runLockFile(await realpath(folder.fsPath), process.env)),
      settings,
      log,
      reflection,
      card: readCardFile,
      roots: {
        ...rootEnvironment(settings),
        defaultCache: vscode.Uri.joinPath(context.globalStorageUri, 'roots').fsPath,
        checkouts: nodeRootCheckouts,
        files: nodeRootFiles,
        gitRoots: syncs.gitRoots,
        onDidSync: syncs.onDidSync,
        ripgrep: ripgrep === undefined ? undefined : createRipgrepSearch(ripgrep),
      },
      loadPluto: loadPlutoTools,
      reviewSurface: panel,
      notices: createNotices(),
      async openFile(path) {
        await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, path));
      },
    },
    {
      port: settings.port(),
      keptPort: typeof kept === 'number' ? kept : undefined,
      rojoPort: settings.rojoPort(),
      project: { projectFile },
      tokens: [token, shimToken],
      version,
    },
  );
  await context.workspaceState.update(PORT_KEY, Number(new URL(bridge.studioUrl).port));
  const announced = await announceBridge(userStateFolder(process.env), {
    folder: await realpath(folder.fsPath),
    mcpUrl: bridge.mcpUrl,
    token: shimToken,
    startedAt: nodeClock.date(),
  });
  const stop = async (): Promise<void> => {
    await announced[Symbol.asyncDispose]();
    await bridge.stop();
  };
  return { ...bridge, stop };
}

/** The project's own folder, or one above it in the workspace where its paths lead there. */
async function reachOfProject({ uri, workspace }: ProjectFolder): Promise<{
  readonly root: vscode.Uri;
  readonly projectFile: ProjectPath | undefined;
}> {
  const name = await firstThere(uri.fsPath, defaultProjectNames());
  const file = name === undefined ? undefined : join(uri.fsPath, name);
  const reach = file && (await projectReach(file, foldersAbove, workspace.fsPath));
  return !reach || reach.folder === uri.fsPath
    ? { root: uri, projectFile: undefined }
    : { root: vscode.Uri.file(reach.folder), projectFile: reach.projectFile };
}

const ripgrepPlaces = (settings: EditorSettings): RipgrepPlaces => ({
  setting: settings.ripgrepPath(),
  appRoot: vscode.env.appRoot,
  path: process.env['PATH'],
});

/** The tools for Pluto, and what runs programs for them. */
async function loadPlutoTools(): ReturnType<LoadPluto> {
  const { createProgramRunner } = await import('./adapters/pluto-program/program-runner.ts');
  const { openPluto } = await import('./tools/pluto/open-pluto.ts');
  return {
    openPluto,
    createPrograms: folder => createProgramRunner({ folder, environment: process.env, startedBy: 'agent' }),
  };
}

/** The editor's part of Pluto, which most workspaces have no use for. */
async function loadPluto(version: string, log: Logger): Promise<OpenedPluto> {
  const { openPluto } = await import('./adapters/vscode/pluto/open-pluto.ts');
  return openPluto({
    worker: new URL('./pluto-worker.js', import.meta.url),
    tool: { name: 'atlas-bridge', version },
    hash: bytes => nodeHasher.gitBlob(bytes),
    replace: (file, bytes, expected) =>
      createNodeFileSystem(dirname(file), nodeHasher).replace(
        // The name alone, in its own folder.
        basename(file) as ProjectPath,
        bytes,
        expected === undefined ? { kind: 'absent' } : { kind: 'hash', gitBlob: expected },
      ),
    log,
  });
}

/** The Studio plugin that this extension carries. */
function deliverPlugin(context: vscode.ExtensionContext, version: string): PluginDelivery {
  const at = (...path: readonly string[]): string => vscode.Uri.joinPath(context.extensionUri, ...path).fsPath;
  const receipt = vscode.Uri.joinPath(context.globalStorageUri, 'studio-plugin.json').fsPath;
  return createPluginDelivery({
    files: createNodePluginFiles(receipt, writeWholeFile),
    hasher: nodeHasher,
    machine: thisMachine(),
    plugin: () => readFile(at('dist', PLUGIN_FILE)),
    version,
  });
}

/** The files of agents on this machine, and what of them was written from here. */
function connectAgents(
  context: vscode.ExtensionContext,
  launcher: string,
  folder: () => vscode.Uri | undefined,
): AgentConnections {
  const receipt = vscode.Uri.joinPath(context.globalStorageUri, 'agents.json').fsPath;
  const home = homedir();
  return createAgentConnections({
    files: createNodePluginFiles(receipt, writeWholeFile),
    places: () => ({ folder: folder()?.fsPath ?? home, home, launcher, platform: process.platform }),
  });
}

/** What the extension has put on the machine for itself. Answers what was there and is gone, for a person. */
async function forgetMachine(context: vscode.ExtensionContext, launcher: string): Promise<readonly string[]> {
  const hadLauncher = await access(launcher).then(
    () => true,
    () => false,
  );
  await rm(launcher, { force: true });
  await context.workspaceState.update(PORT_KEY, undefined);
  await forgetToken(context.secrets);
  return hadLauncher ? [launcher] : [];
}

/** The language server wants every instance in there. */
function keepSourcemapFile(session: ProjectSession, folder: vscode.Uri, log: Logger): Disposable {
  return keepSourcemap(session, {
    includeNonScripts: true,
    clock: nodeClock,
    write: text => writeWholeFile(vscode.Uri.joinPath(folder, 'sourcemap.json').fsPath, new TextEncoder().encode(text)),
    onFailure: error => log.error('the sourcemap was not written', error),
  });
}

/** Trust, folders and some settings decide whether and where there is a bridge. A running sync is never cut off for a setting. */
function restartWhenNeeded(life: BridgeLife, log: Logger): Disposable {
  const store = new DisposableStore();
  const begin = (): void => void life.begin().then(state => logFailure(state, log));
  own(store, vscode.workspace.onDidGrantWorkspaceTrust(begin));
  own(store, vscode.workspace.onDidChangeWorkspaceFolders(begin));
  own(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      const state = life.state();
      const counts = ['atlas.port', 'atlas.rojoPort', 'atlas.docs.ripgrepPath'];
      if (!counts.some(name => event.affectsConfiguration(name)) || state.kind === 'starting') return;
      if (state.kind === 'running' && state.bridge.engine.current() !== undefined) {
        log.warn('a sync is running, so the new setting counts from the next start');
        return;
      }
      void life.restart().then(next => logFailure(next, log));
    }),
  );
  return store;
}

function logFailure(state: ReturnType<BridgeLife['state']>, log: Logger): void {
  if (state.kind === 'failed') log.error('the bridge did not start', state.error.cause ?? state.error);
}

function exportsOf(life: BridgeLife, pending: Pending, activationMs: number): AtlasExports {
  const bridge = () => {
    const state = life.state();
    return state.kind === 'running' ? state.bridge : undefined;
  };
  return {
    activationMs,
    get state() {
      return life.state().kind;
    },
    get status() {
      return statusLine(life.state(), vscode.l10n, differingOf(pending)).text.replaceAll(/\$\([^)]*\) /g, '');
    },
    get studioUrl() {
      return bridge()?.studioUrl;
    },
    get mcpUrl() {
      return bridge()?.mcpUrl;
    },
  };
}
