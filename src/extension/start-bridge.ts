import type { LoadGameTests } from '../app/game-tests.ts';
import type { LoadLive } from '../app/lazy-live.ts';
import type { LoadStudioWindow } from '../app/studio-reviews.ts';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { createGitClient } from '../adapters/git/git-client.ts';
import { createThreadGit } from '../adapters/git/thread-git.ts';
import { announceBridge } from '../adapters/node/announced-bridges.ts';
import { readCardFile } from '../adapters/node/card-file.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { TimeSlice } from '../base/time-slice.ts';
import { createFileRunLock } from '../adapters/node/file-run-lock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { nodeInflate } from '../adapters/node/inflate.ts';
import { createJsonBaseStore } from '../adapters/node/json-base-store.ts';
import { createPackTextStore } from '../adapters/node/pack-text-store.ts';
import { createThreadConverter, dataWorker } from '../adapters/node/thread-converter.ts';
import { createThreadMerger, mergeWorker } from '../adapters/node/thread-merger.ts';
import { createJsonStudioKeys, replacedKeys, studioKeysFile } from '../adapters/node/json-studio-keys.ts';
import { nodePairingCrypto } from '../adapters/node/pairing-crypto.ts';
import {
  baseFolder,
  baseTextsFolder,
  commandJournal,
  editorJournals,
  rememberJournal,
} from '../adapters/node/journal/known-journals.ts';
import { createFileJournalStore } from '../adapters/node/journal/file-journal-store.ts';
import { nodeRandom } from '../adapters/node/random.ts';
import { readReflectionFile } from '../adapters/node/reflection-file.ts';
import { runLockFile, stateFolder, userStateFolder } from '../adapters/node/state-folder.ts';
import { newToken } from '../adapters/node/token-store.ts';
import { createFileWatcher } from '../vscode/file-watcher.ts';
import { createNotices } from '../vscode/notices.ts';
import { createPairingCodes } from '../vscode/pairing-codes.ts';
import { createStudioPrompts } from '../vscode/studio-prompts.ts';
import type { ReviewPanel } from '../review/vscode/review-panel.ts';
import { type createNodeGitRoots, createNodeRootHost } from '../docs/adapters/node/node-root-host.ts';
import { rootEnvironment } from '../docs/vscode/root-environment.ts';
import { createSettings } from '../vscode/settings.ts';
import { onDidChangeUnsaved, unsavedFiles } from '../vscode/unsaved-files.ts';
import { type Bridge, createBridge, type HostPorts } from '../app/app.ts';
import { createReflection } from '../roblox/instances/reflection.ts';
import type { Logger } from '../ports/logger.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { lastPort } from './last-port.ts';
import { releaseFromLostWindows } from './other-windows.ts';
import { isOfSameProject, projectStorage } from '../app/project-storage.ts';
import type { ProjectGroup } from '../app/project-group.ts';
import type { ProjectLocation } from './served-folder.ts';
import type { AskWindow } from '../transport/routes.ts';

export interface StartBridgeDeps {
  readonly context: vscode.ExtensionContext;
  readonly location: ProjectLocation;
  /** The projects of the window. */
  readonly group: ProjectGroup;
  /** The bridges that already run. The first one of a folder serves the folder's Pluto modules, and the first of all serves Rojo's port. */
  readonly running: readonly RunningBridge[];
  /** Called before the review of this project is shown. */
  readonly onReview: () => void;
  readonly panel: ReviewPanel;
  readonly log: Logger;
  readonly version: string;
  /** The bearer token of VS Code's own MCP client. */
  readonly token: string;
  readonly syncs: ReturnType<typeof createNodeGitRoots>;
  readonly loadPluto: LoadPlutoToolset;
  readonly loadStudioWindow: LoadStudioWindow;
  readonly loadGameTests: LoadGameTests;
  readonly loadLive: LoadLive;
  /** `undefined`: the extension host ends with its window. */
  readonly askWindow: AskWindow | undefined;
}

/** A bridge and the project that it serves. */
export interface RunningBridge extends Bridge {
  readonly location: ProjectLocation;
}

/** Starts the bridge with VS Code's implementations of its ports, and announces its address to other programs of the same user. */
export async function startBridge(deps: StartBridgeDeps): Promise<RunningBridge> {
  const { context, location, panel, log, version, token, syncs, loadPluto, loadStudioWindow, loadLive, loadGameTests } =
    deps;
  const { group, running, onReview, askWindow } = deps;
  await releaseFromLostWindows(location, log).catch((error: unknown) =>
    log.error('failed to ask other windows', error),
  );
  const folder = location.root;
  const settings = createSettings(folder);
  const isFirst = running.length === 0;
  const isFirstOfFolder = !running.some(one => one.location.root.toString() === folder.toString());
  const { fsPath } = context.storageUri ?? context.globalStorageUri;
  const { folder: storage, suffix } = await projectStorage(fsPath, context.workspaceState, location.key, isFirst);
  const reflection = createReflection(await readReflectionFile());
  const ripgrep = await findRipgrep(settings);
  log.info('searching roots', { ripgrep: ripgrep ?? 'none; reading every file instead' });
  const port = lastPort(context.workspaceState, settings.port(), suffix);
  // The token of the user's programs outside VS Code. Stored in a file that only the user can read, and valid while this bridge runs.
  const programToken = newToken();
  const journalFolder = join(storage, 'journal');
  const realFolder = await realpath(folder.fsPath);
  const state = stateFolder(realFolder, process.env);
  // A failure only affects the command line, which then lacks these records.
  await rememberJournal(state, journalFolder).catch((error: unknown) =>
    log.error('failed to record the journal', error),
  );
  // Each extension host of a workspace has its own storage, and one whose window was lost may still have records.
  const otherWindows = (await editorJournals(state)).filter(
    one => one !== journalFolder && isOfSameProject(one, journalFolder),
  );
  const texts = createPackTextStore(baseTextsFolder(commandJournal(state)));
  const ports: HostPorts = {
    files: createNodeFileSystem(folder.fsPath, nodeHasher),
    watcher: createFileWatcher(folder),
    git: createGitClient(folder.fsPath, log.child('git'), createThreadGit()),
    clock: nodeClock,
    random: nodeRandom,
    hasher: nodeHasher,
    inflate: nodeInflate,
    converter: createThreadConverter({ worker: dataWorker() }),
    journal: createFileJournalStore(journalFolder, { texts }),
    otherJournals: isFirstOfFolder
      ? [commandJournal(state), ...otherWindows].map(one => createFileJournalStore(one, { texts }))
      : [],
    bases: createJsonBaseStore(baseFolder(state)),
    texts,
    merger: createThreadMerger({ worker: mergeWorker() }),
    runLock: createFileRunLock(runLockFile(realFolder, process.env), log),
    settings,
    studioKeys: createJsonStudioKeys(studioKeysFile(userStateFolder(process.env)), damaged =>
      log.warn(replacedKeys, { damaged }),
    ),
    pairingCrypto: nodePairingCrypto,
    studioPrompts: createStudioPrompts(context.workspaceState),
    pairingCodes: createPairingCodes(),
    log,
    reflection,
    card: readCardFile,
    roots: createNodeRootHost({
      ...rootEnvironment(settings),
      defaultCache: vscode.Uri.joinPath(context.globalStorageUri, 'roots').fsPath,
      ripgrep,
      gitRoots: syncs,
    }),
    loadPluto: isFirstOfFolder ? loadPluto : undefined,
    loadStudioWindow,
    loadGameTests,
    loadLive,
    reviewSurface: {
      drafts: panel.drafts,
      translate: panel.translate,
      async show(review, signal) {
        onReview();
        await panel.show(review, signal);
      },
    },
    notices: createNotices(),
    unsavedFiles: () => unsavedFiles(folder),
    onDidChangeUnsaved: onDidChangeUnsaved(folder),
    async openFile(path) {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, path));
    },
  };
  // Creating the ports and creating the bridge take a turn of the event loop each.
  await new TimeSlice(nodeClock).waitForNextTurn();
  const bridge = await createBridge(ports, {
    port: settings.port(),
    lastPort: port.read(),
    rojoPort: isFirst ? settings.rojoPort() : undefined,
    project: { projectFile: location.projectFile },
    tokens: [token, programToken],
    askWindow,
    version,
    group: { projects: group, file: location.label },
  });
  try {
    await port.keep(Number(new URL(bridge.studioUrl).port));
    const announced = await announceBridge(userStateFolder(process.env), {
      folder: realFolder,
      ...(location.file !== undefined && { projectFile: location.file }),
      mcpUrl: bridge.mcpUrl,
      ...(bridge.projectsUrl !== undefined && { projectsUrl: bridge.projectsUrl }),
      token: programToken,
      startedAt: nodeClock.date(),
      program: 'vscode',
    });
    const stop = async (): Promise<void> => {
      try {
        await announced[Symbol.asyncDispose]();
      } finally {
        await bridge.stop();
      }
    };
    // Only the first bridge of a folder opens its Pluto modules, because two sets of them would overwrite each other's unsaved edits.
    const plutoOwner = running.find(one => one.location.root.toString() === folder.toString()) ?? bridge;
    return { ...bridge, pluto: () => plutoOwner.pluto(), onDidOpenPluto: plutoOwner.onDidOpenPluto, location, stop };
  } catch (error) {
    // The caller never got the bridge, so stop it here.
    await bridge.stop();
    throw error;
  }
}
