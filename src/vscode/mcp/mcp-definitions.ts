import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { once } from '../../base/once.ts';
import { type BridgeLifecycle, type BridgeState, followBridges } from '../bridge-lifecycle.ts';
import { mcpProviderId } from '../command-ids.ts';
import { addDisposable } from '../add-disposable.ts';
import { projectLabel } from '../project-label.ts';
import type { ServedBridge } from '../served-bridge.ts';
import { isBelow, watchFolders } from '../watch-folders.ts';
import { type CatalogEntry, type ToolsetOffer, toolsetOffer } from './toolset-offer.ts';

export interface McpDefinitionsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly token: () => Promise<string>;
  /** The version of the extension. */
  readonly version: string;
  /** Every tool that the bridge can serve. */
  readonly catalog: readonly CatalogEntry[];
}

/** Files that make the Pluto tools useful. */
const PLUTO_FILES = '**/{*.pluto,*.pt,pluto.toml}';

/**
 * Offers VS Code's agents the toolsets that are useful in the workspace. VS Code caches tools by label and version, so the version
 * changes with the tools. The token is added when VS Code connects.
 */
export function registerMcpDefinitions({ lifecycle, token, version, catalog }: McpDefinitionsDeps): Disposable {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  const fire = (): void => changed.fire();
  store.add(followBridges(lifecycle, (bridge, alive) => alive.add(bridge.onDidChangeProject(fire))));
  // Keep the current offer during a restart.
  store.add(lifecycle.onDidChangeBridges(() => void (lifecycle.bridges().length > 0 && fire())));
  store.add(lifecycle.onDidChange(({ kind }) => void (kind !== 'starting' && fire())));
  /**
   * One of the Pluto modules. Searched again only when one may have been added or removed, because VS Code starts a process of the extension
   * host for each search.
   */
  let module: Promise<vscode.Uri | undefined> | undefined;
  const findModule = async (): Promise<vscode.Uri | undefined> => {
    try {
      return (await vscode.workspace.findFiles(PLUTO_FILES, '**/node_modules/**', 1))[0];
    } catch (error) {
      module = undefined;
      throw error;
    }
  };
  const searchAgain = (): void => {
    module = undefined;
    fire();
  };
  /** The result of the last search. */
  let found: vscode.Uri | undefined;
  // Watch after the first offer; earlier changes are part of it.
  const watchPluto = once(() => {
    const pluto = addDisposable(store, vscode.workspace.createFileSystemWatcher(PLUTO_FILES, false, true, false));
    addDisposable(store, pluto.onDidCreate(searchAgain));
    addDisposable(store, pluto.onDidDelete(searchAgain));
    addDisposable(store, vscode.workspace.onDidChangeWorkspaceFolders(searchAgain));
    store.add(watchFolders({ isUsed: path => found !== undefined && isBelow(found, path), onChange: searchAgain }));
  });

  const offer = async (bridge: ServedBridge): Promise<ToolsetOffer> => {
    watchPluto();
    found = await (module ??= findModule());
    const hasProject = bridge.session() !== undefined || bridge.projectProblem()?.code !== 'NO_PROJECT';
    const bridges = lifecycle.bridges();
    // The tools of several projects list their names.
    const projects = bridges.length < 2 ? [] : bridges.map(one => projectLabel(bridges, one));
    const use = { hasProject, hasPluto: found !== undefined };
    return toolsetOffer(catalog, use, version, projects);
  };
  // Any bridge serves the tools of all projects. The first one stays when another project becomes active, which would cut off calls.
  const bridgeOf = (state: BridgeState): ServedBridge | undefined =>
    state.kind === 'running' ? lifecycle.bridges()[0] : undefined;
  const urlOf = ({ mcpUrl, projectsUrl }: ServedBridge): string =>
    lifecycle.bridges().length < 2 ? mcpUrl : (projectsUrl ?? mcpUrl);
  const provider: vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    async provideMcpServerDefinitions() {
      const bridge = bridgeOf(await lifecycle.begin());
      if (bridge === undefined) return [];
      const offered = await offer(bridge);
      const uri = vscode.Uri.parse(`${urlOf(bridge)}${offered.path}`, true);
      return [new vscode.McpHttpServerDefinition('Atlas Bridge', uri, {}, offered.version)];
    },
    async resolveMcpServerDefinition(definition) {
      const bridge = bridgeOf(await lifecycle.begin());
      if (bridge === undefined) return undefined;
      definition.uri = vscode.Uri.parse(`${urlOf(bridge)}${(await offer(bridge)).path}`, true);
      definition.headers = { Authorization: `Bearer ${await token()}` };
      return definition;
    },
  };
  addDisposable(store, vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, provider));
  return store;
}
