/**
 * The whole bridge of one workspace, without VS Code. Lifetimes, longest first:
 *
 * - the bridge: listener, tool registry, MCP sessions, project slot, Studio directory, sync engine. Made here, ended by `stop`.
 * - the project session: owned by the project slot; begins when there is a project file, which may be later than the bridge.
 * - a Studio connection: its channel and link; owned by the Studio directory, ends with the socket.
 * - an MCP session: owned by the endpoint, ends when the client ends it, after an idle hour, or with the bridge.
 * - a run: owned by the sync engine; outlives the call that started it. A request: its signal.
 *
 * An object with a shorter lifetime is removed from the fields of longer-lived objects when it ends.
 */
import { isPeerOfUser } from '../adapters/node/peer-owner.ts';
import { createSocketUpgrade } from '../adapters/ws/socket-channel.ts';
import { createFeedUpgrade } from '../adapters/ws/socket-feed.ts';
import type { ProjectPath } from '../base/brand.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { AppError } from '../base/errors.ts';
import { TimeSlice } from '../base/time-slice.ts';
import { type AgentPresence, createAgentPresence } from '../setup/agents/agent-presence.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import { createAnnouncedVersion } from '../studio/announced-version.ts';
import type { LiveControl } from '../studio/live/live-control.ts';
import { createStudioAccess } from '../studio/pairing/studio-access.ts';
import { createStudioDirectory } from '../studio/studio-directory.ts';
import type { StudioDirectory } from '../studio/studio-link.ts';
import type { FailedWrite } from '../studio/write/write-context.ts';
import type { ProjectSession } from '../project/project-session.ts';
import { createProjectSlot } from '../project/project-slot.ts';
import { outdateWhileUnconfirmed } from '../sync/base/outdate-while-unconfirmed.ts';
import { recoverInterrupted } from '../sync/recover/recover-interrupted.ts';
import { createRojoPort } from './rojo-port.ts';
import { createLazyLive, type LoadLive } from './lazy-live.ts';
import { serveOpened } from './serve-opened.ts';
import { createStudioReviews, type LoadStudioWindow } from './studio-reviews.ts';
import { createSyncEngine } from '../sync/run/create-sync-engine.ts';
import { openProjectSession, type ProjectChoice } from '../project/session/open-project-session.ts';
import { createFileTransactions } from '../sync/transactions/file-transactions.ts';
import type { SyncEngine, SyncRun } from '../sync/sync-engine.ts';
import type { Retrieval } from '../docs/retrieval.ts';
import { retrievalOfHost } from '../docs/retrieval.ts';
import { createLogFeed } from '../mcp/log-feed.ts';
import { createToolRegistry, type ToolRegistry } from '../mcp/registry.ts';
import type { BaseStore } from '../ports/base-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileSystem } from '../ports/file-system.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';
import type { Git } from '../ports/git.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { DataConverter } from '../ports/data-converter.ts';
import type { Inflate } from '../ports/inflate.ts';
import type { JournalStore } from '../ports/journal-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Notices } from '../ports/notices.ts';
import type { PairingCodes } from '../ports/pairing-codes.ts';
import type { PairingCrypto } from '../ports/pairing-crypto.ts';
import type { Random } from '../ports/random.ts';
import type { ReviewSurface } from '../ports/review-surface.ts';
import type { RootHost } from '../docs/ports/root-host.ts';
import type { RunLock } from '../ports/run-lock.ts';
import type { ScriptMerger } from '../ports/script-merger.ts';
import { journalLimitsOf, type Settings } from '../ports/settings.ts';
import type { TextStore } from '../ports/text-store.ts';
import type { StudioKeys } from '../ports/studio-keys.ts';
import type { StudioPrompts } from '../ports/studio-prompts.ts';
import { HTTP_LIMITS } from '../protocol/limits.ts';
import type { StudioDialect } from '../protocol/studio/messages.ts';
import { toolCatalog } from './tool-catalog.ts';
import { instructions } from '../mcp/instructions.ts';
import type { ProjectGroup } from './project-group.ts';
import { type LoadGameTests, lazyGameTests, gameTestContent } from './game-tests.ts';
import { createLazyPlutoToolset, type LoadPlutoToolset, type PlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import { syncPrompts } from '../sync/tools/sync-prompts.ts';
import { createDocsResources } from '../docs/tools/docs-resources.ts';
import { createSyncCompleter } from '../sync/tools/sync-completions.ts';
import { createSyncResources } from '../sync/tools/sync-resources.ts';
import { type Routes, startListener } from '../transport/http/listener.ts';
import { createMcpEndpoint, type McpEndpoint } from '../transport/mcp/endpoint.ts';
import { type AskWindow, createRoutes, createStudioOnlyRoutes, PROJECTS_PATH } from '../transport/routes.ts';
import { onlyOwnPeers } from '../transport/studio/own-peers.ts';
import { createStudioRoutes } from '../transport/studio/routes.ts';

/** Everything that the bridge needs from outside. VS Code, the CLI and tests provide different implementations. */
export interface HostPorts {
  /** Reads the page of the chat card; if absent, no client is offered one. */
  readonly card?: (() => Promise<string>) | undefined;
  readonly files: FileSystem;
  readonly watcher: FileWatcher;
  readonly git: Git;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly inflate: Inflate;
  readonly converter: DataConverter;
  readonly journal: JournalStore;
  /** Journals of other programs for the same project, whose interrupted runs are recovered too. */
  readonly otherJournals?: readonly JournalStore[] | undefined;
  readonly bases: BaseStore;
  readonly texts: TextStore;
  readonly merger: ScriptMerger;
  readonly runLock: RunLock;
  readonly settings: Settings;
  /** The keys that Studio plugins prove. */
  readonly studioKeys: StudioKeys;
  readonly pairingCrypto: PairingCrypto;
  /** `undefined` if no person can be asked about a Studio without pairing. */
  readonly studioPrompts?: StudioPrompts | undefined;
  /** `undefined` if no code can be shown. */
  readonly pairingCodes?: PairingCodes | undefined;
  readonly log: Logger;
  readonly reflection: Reflection;
  /** The sources of the docs toolset. */
  readonly roots: RootHost;
  /** Loads the pluto toolset, which is served if the project has modules; `undefined`: never. */
  readonly loadPluto?: LoadPlutoToolset | undefined;
  /** Loads the tests of a game for agents; `undefined`: they cannot run tests. */
  readonly loadGameTests?: LoadGameTests | undefined;
  /** Loads the reviews in the windows of Studio plugins; `undefined`: never. */
  readonly loadStudioWindow?: LoadStudioWindow | undefined;
  readonly loadLive: LoadLive;
  /** `undefined` if no person can be asked. */
  readonly reviewSurface?: ReviewSurface | undefined;
  /** `undefined`: failures are only logged. */
  readonly notices?: Notices | undefined;
  /** Shows a file to the person; `undefined` without an editor. */
  readonly openFile?: ((path: ProjectPath) => Promise<void>) | undefined;
  /** The files with edits in an editor that are not on disk; `undefined` without an editor. */
  readonly unsavedFiles?: (() => ReadonlySet<ProjectPath>) | undefined;
  /** Fires when a file is added to or removed from `unsavedFiles`. */
  readonly onDidChangeUnsaved?: Event<void> | undefined;
}

export interface BridgeOptions {
  /** The port to listen on; the next free one if it is taken, any free port for 0. */
  readonly port: number;
  /** The port of the last start, tried first, so that agents and Studio find the bridge again. */
  readonly lastPort?: number | undefined;
  /** The plugin that is greeted on `port`; by default the Atlas plugin and the plugin of Atlas Bridge. */
  readonly dialect?: StudioDialect;
  /**
   * A second port, for Rojo's plugin. Never replaced by a free port, because a person types it into Studio. 0: any; `undefined`: no port.
   */
  readonly rojoPort?: number | undefined;
  /** The project of the folder; by default the one that its files name. */
  readonly project?: ProjectChoice;
  /** The tokens of MCP clients; each client must send one of them. */
  readonly tokens: readonly [string, ...string[]];
  /** Answers other windows that would serve the project; `undefined`: the bridge has no window. */
  readonly askWindow?: AskWindow | undefined;
  /** The version of this program. */
  readonly version: string;
  /** Instances in one packet of Live Sync; FEED_LIMITS.packetChanges by default. */
  readonly maxPacketChanges?: number | undefined;
  /** The other projects of the same window, and the path of this project's file in it; `undefined`: the bridge is alone. */
  readonly group?: { readonly projects: ProjectGroup; readonly file: string } | undefined;
}

export interface Bridge {
  /** `http://127.0.0.1:<port>`: the address for Studio. The port may differ from the preferred one. */
  readonly studioUrl: string;
  /** `<studioUrl>/mcp`: all toolsets; `/mcp/<toolset>` serves one. */
  readonly mcpUrl: string;
  /** Like `mcpUrl`, with the tools of all projects of the window; `undefined` outside a window. */
  readonly projectsUrl: string | undefined;
  /** The address for Rojo's plugin; `undefined` if no second port was requested, or it is taken. */
  rojoUrl(): string | undefined;
  /** Moves the second port, for Rojo's plugin. `undefined`: closes it. */
  serveRojo(port: number | undefined): Promise<void>;
  readonly sessionId: string;
  readonly engine: SyncEngine;
  readonly studios: StudioDirectory;
  /** Closes the connections of all Studios, which must prove their keys again. */
  disconnectStudios(reason: string): void;
  readonly reflection: Reflection;
  /** Agents that have connected. */
  readonly agents: AgentPresence;
  /** Number of MCP clients that are currently connected. */
  mcpClients(): number;
  /** Reads the roots, for views and tools. */
  readonly retrieval: Retrieval;
  /** Syncs the git roots. */
  readonly gitRoots: RootHost['gitRoots'];
  /** The pluto toolset; `undefined` while the project has no modules. */
  pluto(): PlutoToolset | undefined;
  readonly onDidOpenPluto: Event<PlutoToolset>;
  /** The loaded project; `undefined` while there is none. */
  session(): ProjectSession | undefined;
  /** Why there is no project: NO_PROJECT, PROJECT_INVALID. For display; reading it has no effect. */
  projectProblem(): AppError | undefined;
  readonly onDidOpenSession: Event<ProjectSession>;
  /** Fires when the project was opened, and when the reason for having none has changed. */
  readonly onDidChangeProject: Event<void>;
  /** The live session with the plugin of Atlas Bridge. */
  readonly live: LiveControl;
  /** Studios with any plugin that receive every change. */
  liveStudios(): number;
  readonly onDidChangeLiveStudios: Event<void>;
  /** Edits of Studio that could not be written to disk. */
  readonly onDidFailWrite: Event<FailedWrite>;
  /** Ends everything, newest first. Safe to call twice. */
  stop(): Promise<void>;
}

/** Resolves when the bridge listens. Waits for a missing or broken project instead of failing. */
export async function createBridge(given: HostPorts, options: BridgeOptions): Promise<Bridge> {
  const { log, onDidLog } = createLogFeed(given.log);
  const host: HostPorts = { ...given, log };
  const { clock, random, settings } = host;
  const { version } = options;
  const sessionId = random.uuid();
  let studioUrl = '';

  const project = createProjectSlot({
    open: signal => openProjectSession(host, signal, options.project),
    watcher: host.watcher,
    clock,
    log,
  });
  const transactions = createFileTransactions({ ...host, limits: () => journalLimitsOf(settings) });
  const serving = serveOpened(project, host, { sessionId, maxPacketChanges: options.maxPacketChanges });
  const unpairedRequest = new Emitter<void>();
  const { group } = options;
  const projectName = (): string => project.current()?.info.name ?? group?.file ?? '';
  const otherProjects = group && (() => group.projects.others(group.file));
  const studios = createStudioDirectory({
    handles: group?.projects.handles,
    otherProjects,
    clock,
    random,
    settings,
    log: log.child('studio'),
    sessionId,
    project: () => project.current()?.info,
    legacy: {
      session: () => project.require(),
      hasher: host.hasher,
      lastRead: () => serving.current()?.feed.lastRead(options.dialect ?? 'atlas'),
      onRequest: unpairedRequest.event,
    },
  });
  const ports = new Set<number>();
  const access = createStudioAccess({
    clock,
    random,
    settings,
    log: log.child('studio'),
    sessionId,
    keys: host.studioKeys,
    crypto: host.pairingCrypto,
    prompts: host.studioPrompts,
    codes: host.pairingCodes,
    ports: () => Array.from(ports),
    admit: (channel, first, isProved) => studios.accept(channel, first, isProved),
  });
  const liveStudios = (): number => serving.current()?.feed.count() ?? 0;
  const unconfirmed = (): number => liveStudios() - (serving.current()?.feed.count('own') ?? 0);
  const bases = outdateWhileUnconfirmed(
    host.bases,
    { count: unconfirmed, onDidChangeCount: serving.onDidChangeCount },
    log.child('sync'),
  );
  const engine = createSyncEngine({
    ...host,
    runLock: group === undefined ? host.runLock : group.projects.lock(host.runLock, projectName),
    bases,
    reviewSurface: host.reviewSurface,
    log: log.child('sync'),
    project: () => project.require(),
    studios,
    studioUrl: () => studioUrl,
    isLive: () => liveStudios() > 0,
  });
  engine.onDidChange(() => studios.setDeciding(engine.current()?.phase() === 'reviewing'));
  const studioReviews = createStudioReviews(host.loadStudioWindow, engine, studios, {
    clock,
    log: log.child('review'),
  });
  const retrieval = retrievalOfHost(host.roots, clock);
  const docsResources = createDocsResources(retrieval, host.roots.onDidSync);
  const registry = createToolRegistry(
    toolCatalog.filter(({ toolset }) => toolset !== 'tests' || host.loadGameTests !== undefined),
    {
      engine,
      clock,
      hasher: host.hasher,
      retrieval,
      gitRoots: host.roots.gitRoots,
      runGameTests: lazyGameTests(host.loadGameTests, {
        folder: host.files.root,
        session: () => project.require(),
        clock,
        random,
      }),
    },
    [
      {
        toolset: 'sync',
        prompts: syncPrompts,
        instructions: instructions.sync,
        complete: createSyncCompleter({ engine, session: () => project.current(), clock }),
        resources: createSyncResources({
          engine,
          session: () => project.current(),
          onDidOpenSession: project.onDidOpen,
          clock,
          card: host.card,
        }),
      },
      ...gameTestContent(host.loadGameTests),
      {
        toolset: 'docs',
        prompts: [],
        instructions: instructions.docs,
        resources: docsResources,
      },
    ],
  );
  // Creating all parts takes longer than a turn of the event loop may. No later part misses an event of the earlier ones.
  await new TimeSlice(clock).waitForNextTurn();
  const plutoOpened = new Emitter<PlutoToolset>();
  const pluto = createLazyPlutoToolset({
    ...host,
    transactions,
    load: host.loadPluto,
    log: log.child('pluto'),
    version,
    onOpened(toolset) {
      registry.add(toolset.tools, undefined, [toolset.extras]);
      plutoOpened.fire(toolset);
    },
  });
  const agents = createAgentPresence(clock);
  const endpointOf = (tools: ToolRegistry): McpEndpoint =>
    createMcpEndpoint({
      clock,
      random,
      log: log.child('mcp'),
      version,
      registry: tools,
      loadTransport: async () => (await import('../transport/mcp/http-transport.ts')).createHttpTransport,
      onDidLog,
      beforeOpen: toolset => pluto.whenOpened(toolset?.split('+').includes('pluto') === true),
      onListed: name => agents.recordListing(name),
    });
  const mcp = endpointOf(registry);
  const member = group && {
    file: group.file,
    root: host.files.root,
    name: projectName,
    info: () => project.current()?.info,
    studios,
    engine,
    registry,
  };
  const projectsMcp = group && member && endpointOf(group.projects.toolsFor(member));
  const live = createLazyLive(host.loadLive, {
    ...host,
    transactions,
    studios,
    served: () => serving.current(),
    onDidServe: serving.onDidServe,
    engine,
    bases,
    canReview: host.reviewSurface !== undefined,
  });
  const claimed = createAnnouncedVersion(settings);
  const studioRoutes = (dialect: StudioDialect): Routes =>
    onlyOwnPeers(
      createStudioRoutes({
        ...host,
        dialect,
        project: () => serving.require(),
        otherProjects,
        access,
        sessionId,
        serverVersion: () => (dialect === 'atlas' ? claimed.version() : version),
        learnVersion: version => claimed.learn(version),
        isActiveClient: () => studios.isActiveClient(),
        noteUnpairedRequest: () => unpairedRequest.fire(),
        openFile: host.openFile,
        upgrade: createSocketUpgrade(clock),
        upgradeFeed: createFeedUpgrade(clock),
      }),
      isPeerOfUser,
    );

  // Before anything reads the files: half-written files of a crash are not a state of the project.
  await recoverInterruptedRuns(host);
  await Promise.all([project.tryOpen(), pluto.openIfModulesExist()]);
  /** Ends the sessions and connections, then, when `connectionsClosed`, what they depend on. */
  const release = async (connectionsClosed: Promise<unknown> | undefined): Promise<void> => {
    await Promise.all([mcp.close(), projectsMcp?.close()]);
    docsResources[Symbol.dispose]();
    studioReviews[Symbol.dispose]();
    access[Symbol.dispose]();
    studios[Symbol.dispose]();
    live[Symbol.dispose]();
    bases[Symbol.dispose]();
    serving[Symbol.dispose]();
    await connectionsClosed;
    pluto[Symbol.dispose]();
    project[Symbol.dispose]();
  };
  const routes = createRoutes(mcp, studioRoutes(options.dialect ?? 'atlas'), options.tokens, {
    projectsMcp,
    askWindow: options.askWindow,
  });
  const listener = await startListener({
    preferredPort: options.port,
    lastPort: options.lastPort,
    routes,
    clock,
    log: log.child('http'),
  }).catch(async (error: unknown) => {
    await release(undefined);
    throw error;
  });
  studioUrl = listener.url;
  ports.add(listener.port);
  const rojoRoutes = createStudioOnlyRoutes(studioRoutes('rojo'));
  const rojo = createRojoPort({ routes: rojoRoutes, ports, clock, log: log.child('rojo') });
  await rojo.serve(options.rojoPort);
  const joined = group && member && group.projects.join(member);
  // A run keeps its Studio until it has ended.
  const rejectOthers = (): void => void (engine.current() === undefined && studios.rejectOthers());
  const following = group?.projects.onDidChange(rejectOthers);
  if (group !== undefined) engine.onDidChange(rejectOthers);
  log.info('bridge listens', { studioUrl, sessionId });

  const stop = async (): Promise<void> => {
    // New work first, then work in progress, then what it depends on.
    following?.[Symbol.dispose]();
    joined?.[Symbol.dispose]();
    const listenerStopped = Promise.all([listener.stop(), rojo.stop()]);
    await endOfRun(engine.current(), clock);
    await release(listenerStopped);
    log.info('bridge stopped');
  };
  let stopped: Promise<void> | undefined;

  return {
    studioUrl,
    mcpUrl: `${listener.url}/mcp`,
    projectsUrl: group && `${listener.url}${PROJECTS_PATH}`,
    rojoUrl: () => rojo.url(),
    serveRojo: port => rojo.serve(port),
    sessionId,
    engine,
    studios,
    disconnectStudios(reason) {
      studios.disconnectAll(reason);
      access.endUnpaired();
    },
    reflection: host.reflection,
    agents,
    mcpClients: () => mcp.clients() + (projectsMcp?.clients() ?? 0),
    retrieval,
    gitRoots: host.roots.gitRoots,
    pluto: () => pluto.current(),
    onDidOpenPluto: plutoOpened.event,
    session: () => project.current(),
    projectProblem: () => project.problem(),
    onDidOpenSession: project.onDidOpen,
    onDidChangeProject: project.onDidChange,
    live,
    liveStudios,
    onDidChangeLiveStudios: serving.onDidChangeCount,
    onDidFailWrite: serving.onDidFailWrite,
    stop: () => (stopped ??= stop()),
  };
}

/** Recovers interrupted runs. An unreadable journal does not stop the bridge. */
async function recoverInterruptedRuns(host: HostPorts): Promise<void> {
  for (const journal of [host.journal, ...(host.otherJournals ?? [])]) {
    try {
      for (const { runId, sentence } of await recoverInterrupted({ ...host, journal }))
        host.notices?.interruptedRun(runId, sentence);
    } catch (error) {
      host.log.error('failed to look for interrupted runs in a journal', error);
    }
  }
}

/** Cancels `run`. A run that is already writing gets a moment to finish, because half a sync is worse than a late end. */
async function endOfRun(run: SyncRun | undefined, clock: Clock): Promise<void> {
  if (run === undefined) return;
  run.cancel();
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancelTimer = clock.after(HTTP_LIMITS.stopMs, resolve);
  void run.result.then(() => resolve());
  await promise;
  cancelTimer();
}
