import type { LoadGameTests } from '../app/game-tests.ts';
import type { LoadLive } from '../app/lazy-live.ts';
import type { LoadStudioWindow } from '../app/studio-reviews.ts';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { createGitClient } from '../adapters/git/git-client.ts';
import { announceBridge } from '../adapters/node/announced-bridges.ts';
import { readCardFile } from '../adapters/node/card-file.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { createFileRunLock } from '../adapters/node/file-run-lock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { nodeInflate } from '../adapters/node/inflate.ts';
import { createJsonBaseStore } from '../adapters/node/json-base-store.ts';
import { createPackTextStore } from '../adapters/node/pack-text-store.ts';
import { createThreadConverter, dataWorker } from '../adapters/node/thread-converter.ts';
import { createThreadMerger, mergeWorker } from '../adapters/node/thread-merger.ts';
import { createJsonStudioKeys, replacedKeys, studioKeysFile } from '../adapters/node/json-studio-keys.ts';
import { nodePairingCrypto } from '../adapters/node/pairing-crypto.ts';
import { commandJournal, rememberJournal } from '../adapters/node/journal/known-journals.ts';
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
import { type Bridge, createBridge } from '../app/app.ts';
import { createReflection } from '../roblox/instances/reflection.ts';
import type { Logger } from '../ports/logger.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { lastPort } from './last-port.ts';
import type { ProjectLocation } from './served-folder.ts';

export interface StartBridgeDeps {
  readonly context: vscode.ExtensionContext;
  readonly location: ProjectLocation;
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
}

/** Starts the bridge with VS Code's implementations of its ports, and announces its address to other programs of the same user. */
export async function startBridge(deps: StartBridgeDeps): Promise<Bridge> {
  const { context, location, panel, log, version, token, syncs, loadPluto, loadStudioWindow, loadLive, loadGameTests } =
    deps;
  const folder = location.root;
  const settings = createSettings(folder);
  const storage = context.storageUri ?? context.globalStorageUri;
  const reflection = createReflection(await readReflectionFile());
  const ripgrep = await findRipgrep(settings);
  log.info('searching roots', { ripgrep: ripgrep ?? 'none; reading every file instead' });
  const port = lastPort(context.workspaceState, settings.port());
  // For programs of the same user outside VS Code. Stored in a file that only the user can read, and valid while this bridge runs.
  const shimToken = newToken();
  const journalFolder = vscode.Uri.joinPath(storage, 'journal').fsPath;
  const state = stateFolder(await realpath(folder.fsPath), process.env);
  // A failure only affects the command line, which then lacks these records.
  await rememberJournal(state, journalFolder).catch((error: unknown) =>
    log.error('failed to record the journal', error),
  );
  const bridge = await createBridge(
    {
      files: createNodeFileSystem(folder.fsPath, nodeHasher),
      watcher: createFileWatcher(folder),
      git: createGitClient(folder.fsPath, log.child('git')),
      clock: nodeClock,
      random: nodeRandom,
      hasher: nodeHasher,
      inflate: nodeInflate,
      converter: createThreadConverter({ worker: dataWorker() }),
      journal: createFileJournalStore(journalFolder),
      otherJournals: [createFileJournalStore(commandJournal(state))],
      bases: createJsonBaseStore(vscode.Uri.joinPath(storage, 'base').fsPath),
      texts: createPackTextStore(vscode.Uri.joinPath(storage, 'base-texts').fsPath),
      merger: createThreadMerger({ worker: mergeWorker() }),
      runLock: createFileRunLock(runLockFile(await realpath(folder.fsPath), process.env), log),
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
      loadPluto,
      loadStudioWindow,
      loadGameTests,
      loadLive,
      reviewSurface: panel,
      notices: createNotices(),
      async openFile(path) {
        await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, path));
      },
    },
    {
      port: settings.port(),
      lastPort: port.read(),
      rojoPort: settings.rojoPort(),
      project: { projectFile: location.projectFile },
      tokens: [token, shimToken],
      version,
    },
  );
  try {
    await port.keep(Number(new URL(bridge.studioUrl).port));
    const announced = await announceBridge(userStateFolder(process.env), {
      folder: await realpath(folder.fsPath),
      mcpUrl: bridge.mcpUrl,
      token: shimToken,
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
    return { ...bridge, stop };
  } catch (error) {
    // The caller never got the bridge, so stop it here.
    await bridge.stop();
    throw error;
  }
}
