import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { loadOnce } from '../../base/load-once.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { isContainer } from '../language/container/byte-sections.ts';
import { type AgentEditsDeps, registerAgentEdits } from './agent-edits.ts';
import type { PlutoEditor } from './open-editor.ts';
import { type PlutoRunsDeps, registerPlutoRuns } from './run-commands.ts';
import { CONTAINER_SCHEME, LANGUAGE_ID } from './schemes.ts';
import { registerSyncPt, type SyncPtDeps } from './sync-pt-command.ts';

export interface RegisterPlutoDeps extends AgentEditsDeps, SyncPtDeps, PlutoRunsDeps {
  /** Loads the language features; called when the first Pluto file is found. */
  readonly load: () => Promise<PlutoEditor>;
}

/**
 * Registers the commands, and loads the language features when the workspace has Pluto files. Reads no files before `begin`.
 */
export function registerPluto({ load, ...deps }: RegisterPlutoDeps): Disposable & { begin(): Promise<void> } {
  const { log } = deps;
  const store = new DisposableStore();
  store.add(registerAgentEdits(deps));
  store.add(registerSyncPt(deps));
  store.add(registerPlutoRuns(deps));
  const changed = addDisposable(store, new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  const opened = loadOnce(async () => {
    const pluto = store.add(await load());
    addDisposable(
      store,
      pluto.containers.onDidChangeFile(events => changed.fire(events)),
    );
    return pluto;
  });
  const failed = (error: unknown): void => log.error('failed to load the Pluto language features', error);
  const files = async () => (await opened()).containers;
  const none = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  addDisposable(
    store,
    vscode.workspace.registerFileSystemProvider(
      CONTAINER_SCHEME,
      {
        onDidChangeFile: changed.event,
        watch(uri) {
          const watching = files()
            .then(provider => provider.watch(uri))
            .catch(failed);
          return new vscode.Disposable(() => void watching.then(watcher => watcher?.dispose()));
        },
        stat: async uri => (await files()).stat(uri),
        readFile: async uri => (await files()).readFile(uri),
        writeFile: async (uri, content) => (await files()).writeFile(uri, content),
        readDirectory: none,
        createDirectory: none,
        delete: none,
        rename: none,
      },
      { isCaseSensitive: true },
    ),
  );
  const loadIfPluto = ({ languageId, uri }: vscode.TextDocument): void => {
    if (languageId === LANGUAGE_ID && uri.scheme === 'file') opened().catch(failed);
  };
  const showIfContainer = (tab: vscode.Tab): void => {
    const file = tab.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
    if (file?.scheme !== 'file' || !file.path.endsWith('.pluto')) return;
    void startsAsContainer(file.fsPath)
      .then(is => (is ? showContainer(tab, file) : undefined))
      .catch(failed);
  };
  addDisposable(store, vscode.workspace.onDidOpenTextDocument(loadIfPluto));
  addDisposable(
    store,
    vscode.window.tabGroups.onDidChangeTabs(({ opened: tabs }) => tabs.forEach(showIfContainer)),
  );
  return {
    async begin() {
      for (const document of vscode.workspace.textDocuments) loadIfPluto(document);
      for (const { tabs } of vscode.window.tabGroups.all) tabs.forEach(showIfContainer);
      // A `.pt` file may be of another kind, so it is considered only when it is opened as Pluto.
      const [found] = await vscode.workspace.findFiles('**/{*.pluto,pluto.toml}', '**/{node_modules,.*}/**', 1);
      if (found !== undefined) opened().catch(failed);
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** The length of the container signature. */
const HEAD = 4;

async function startsAsContainer(file: string): Promise<boolean> {
  // VS Code shows in the tab why it cannot open the file.
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(HEAD), 0, HEAD, 0);
    return isContainer(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Replaces a tab that shows the bytes of a container by its view. */
async function showContainer(tab: vscode.Tab, file: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: CONTAINER_SCHEME }));
  const { isActive, isPreview, group } = tab;
  await vscode.window.showTextDocument(document, {
    viewColumn: group.viewColumn,
    preview: isPreview,
    preserveFocus: !isActive,
  });
  await vscode.window.tabGroups.close(tab);
}
