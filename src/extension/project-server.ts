import * as vscode from 'vscode';
import { createProjectGroup } from '../app/project-group.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Logger } from '../ports/logger.ts';
import { addDisposable } from '../vscode/add-disposable.ts';
import { type BridgeLifecycle, followBridges, runOf } from '../vscode/bridge-lifecycle.ts';
import type { ScheduleIdle } from '../vscode/idle-scheduler.ts';
import type { createBridgeToken } from '../vscode/mcp/token.ts';
import { projectLabel } from '../vscode/project-label.ts';
import type { ServedBridge } from '../vscode/served-bridge.ts';
import { isBelow, watchFolders } from '../vscode/watch-folders.ts';
import { hasProjectFile } from '../app/project-storage.ts';
import { announceSharedProjects, projectsInOtherWindows, type SharedProject } from './other-windows.ts';
import type { ProjectLocation, ServedFolder } from './served-folder.ts';
import type { RunningBridge, StartBridgeDeps } from './start-bridge.ts';
import { stopDeletedProjects } from '../vscode/stop-deleted-projects.ts';
import type { UnservedProject } from '../vscode/unserved-projects.ts';

export interface ProjectServerDeps {
  readonly served: ServedFolder;
  readonly start: (
    given: Pick<StartBridgeDeps, 'location' | 'group' | 'running' | 'onReview' | 'token'>,
  ) => Promise<RunningBridge>;
  readonly token: ReturnType<typeof createBridgeToken>;
  /** Stores the projects that are not served. */
  readonly setUnserved: (projects: readonly UnservedProject[]) => void;
  readonly log: Logger;
}

/** Serves the projects of the window: first the active one, then the others, each with its own bridge. */
export interface ProjectServer {
  /** Starts the bridge of the active project. */
  start(): Promise<RunningBridge | 'restricted' | 'noFolder'>;
  /** Follows the lifecycle when another project becomes active. */
  readonly activated: (bridge: ServedBridge) => void;
  /** Starts the bridges of the other projects, now and when projects appear, and stops those whose file or folder was removed. */
  serveOthers(lifecycle: BridgeLifecycle, schedule: ScheduleIdle): Disposable;
  /** Finds the projects of this window that another window serves too. */
  readonly sharedProjects: () => Promise<readonly SharedProject[]>;
}

const PROJECT_FILES = '**/*.project.{json,json5,jsonc}';
const never = new AbortController().signal;

export function createProjectServer({ served, start, token, setUnserved, log }: ProjectServerDeps): ProjectServer {
  const group = createProjectGroup();
  const running = new Map<string, RunningBridge>();
  let lifecycle: BridgeLifecycle | undefined;
  /** Whether the user was informed that another window serves projects of this one. */
  let isAnnounced = false;

  const startOne = async (location: ProjectLocation, ownToken: string): Promise<RunningBridge> => {
    log.info('serving folder', {
      folder: location.root.fsPath,
      file: location.label,
      folders: vscode.workspace.workspaceFolders?.length ?? 0,
    });
    const onReview = (): void => {
      const bridge = lifecycle?.bridges().find(one => one.location.key === location.key);
      // The diffs, commands and status of the window are those of the active project.
      if (bridge !== undefined) lifecycle?.activate(bridge);
    };
    const others = Array.from(running.values());
    const bridge = await start({ location, group, running: others, onReview, token: ownToken });
    running.set(location.key, bridge);
    return {
      ...bridge,
      async stop() {
        running.delete(location.key);
        await bridge.stop();
      },
    };
  };

  /** Stops bridges whose folder or project file was removed, and starts those of new projects. */
  const refresh = async (bridges: BridgeLifecycle, repeat: () => void): Promise<void> => {
    const state = bridges.state();
    const active = state.kind === 'running' ? running.get(state.bridge.location.key)?.location : undefined;
    if (active === undefined) return;
    for (const bridge of bridges.bridges()) {
      const folder = running.get(bridge.location.key)?.location.folder;
      if (folder !== undefined && vscode.workspace.getWorkspaceFolder(folder) === undefined)
        await bridges.remove(bridge);
    }
    await stopDeletedProjects(bridges, hasProjectFile, repeat);
    const others = await served.others(active);
    // A project that broke while it was served keeps its bridge, which reports the error.
    setUnserved(others.unserved.filter(({ key }) => !running.has(key)));
    for (const { location, places } of others.served) {
      if (running.has(location.key)) continue;
      group.expect(location.label, places);
      await bridges.add(async () => startOne(location, await token.current()));
    }
    if (isAnnounced) return;
    const shared = await sharedProjects();
    isAnnounced = shared.length > 0;
    announceSharedProjects(shared);
  };

  const sharedProjects = (): Promise<readonly SharedProject[]> => {
    const bridges = lifecycle?.bridges() ?? [];
    return projectsInOtherWindows(
      bridges.flatMap(bridge => {
        const location = running.get(bridge.location.key)?.location;
        if (location === undefined) return [];
        return [{ ...location, project: projectLabel(bridges, bridge), studioUrl: bridge.studioUrl }];
      }),
    );
  };

  return {
    async start() {
      if (!vscode.workspace.isTrusted) return 'restricted';
      const found = await served.find();
      if (found === undefined) return 'noFolder';
      setUnserved(found.others.unserved);
      for (const { location, places } of found.others.served) group.expect(location.label, places);
      return await startOne(found.location, await token.renew());
    },
    sharedProjects,
    activated(bridge) {
      const location = running.get(bridge.location.key)?.location;
      if (location !== undefined) served.use(location);
    },
    serveOthers(bridges, schedule) {
      lifecycle = bridges;
      const store = new DisposableStore();
      const queue = new SerialQueue();
      const failed = (error: unknown): void => log.error('failed to serve another project', error);
      const scheduleRefresh = (): void =>
        schedule(() => void queue.run(never, () => refresh(bridges, scheduleRefresh)).catch(failed));
      store.add(bridges.onDidChange(({ kind }) => void (kind === 'running' && scheduleRefresh())));
      addDisposable(store, vscode.workspace.onDidChangeWorkspaceFolders(scheduleRefresh));
      store.add(
        followBridges(bridges, (bridge, alive) => alive.add(bridge.studios.onDidChange(() => show(bridges, bridge)))),
      );
      schedule(() => {
        const files = addDisposable(store, vscode.workspace.createFileSystemWatcher(PROJECT_FILES));
        addDisposable(store, files.onDidCreate(scheduleRefresh));
        addDisposable(store, files.onDidChange(scheduleRefresh));
        addDisposable(store, files.onDidDelete(scheduleRefresh));
        const isUsed = (path: vscode.Uri): boolean =>
          Array.from(running.values()).some(
            ({ location: { folder } }) => folder.path === path.path || isBelow(folder, path),
          );
        store.add(watchFolders({ isUsed, onChange: scheduleRefresh }));
      });
      return store;
    },
  };
}

/** Shows the project of a Studio that connects while the active project has none. */
function show(bridges: BridgeLifecycle, bridge: ServedBridge): void {
  const state = bridges.state();
  if (state.kind !== 'running' || !hasStudio(bridge) || hasStudio(state.bridge)) return;
  if (runOf(bridges.bridges()) === undefined) bridges.activate(bridge);
}

const hasStudio = ({ studios }: ServedBridge): boolean => studios.all().some(one => one.isOpen());
