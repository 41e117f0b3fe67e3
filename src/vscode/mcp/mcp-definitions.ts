import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { once } from '../../base/once.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../bridge-lifecycle.ts';
import { mcpProviderId } from '../command-ids.ts';
import { addDisposable } from '../add-disposable.ts';
import type { ServedBridge } from '../served-bridge.ts';
import { type CatalogueEntry, type ToolsetOffer, toolsetOffer } from './toolset-offer.ts';

export interface McpDefinitionsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly token: () => Promise<string>;
  /** The version of the extension. */
  readonly version: string;
  /** Every tool that the bridge can serve. */
  readonly catalogue: readonly CatalogueEntry[];
}

/** Files that make the Pluto tools useful. */
const PLUTO_FILES = '**/{*.pluto,*.pt,pluto.toml}';

/**
 * Offers VS Code's agents the toolsets that are useful in the workspace. VS Code caches tools by label and version, so the version
 * changes with the tools. The token is added when VS Code connects.
 */
export function registerMcpDefinitions({ lifecycle, token, version, catalogue }: McpDefinitionsDeps): Disposable {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  const fire = (): void => changed.fire();
  store.add(
    followBridge(lifecycle, (state, alive) => {
      if (state.kind === 'running') alive.add(state.bridge.onDidChangeProject(fire));
      // Keep the current offer during a restart.
      if (state.kind !== 'starting') fire();
    }),
  );
  // Watch after the first offer; earlier changes are part of it.
  const watchPluto = once(() => {
    const pluto = addDisposable(store, vscode.workspace.createFileSystemWatcher(PLUTO_FILES, false, true, false));
    addDisposable(store, pluto.onDidCreate(fire));
    addDisposable(store, pluto.onDidDelete(fire));
  });

  const offer = async (bridge: ServedBridge): Promise<ToolsetOffer> => {
    watchPluto();
    const found = await vscode.workspace.findFiles(PLUTO_FILES, '**/node_modules/**', 1);
    const hasProject = bridge.session() !== undefined || bridge.projectProblem()?.code !== 'NO_PROJECT';
    return toolsetOffer(catalogue, { hasProject, hasPluto: found.length > 0 }, version);
  };
  const bridgeOf = (state: BridgeState): ServedBridge | undefined =>
    state.kind === 'running' ? state.bridge : undefined;
  const provider: vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    async provideMcpServerDefinitions() {
      const bridge = bridgeOf(await lifecycle.begin());
      if (bridge === undefined) return [];
      const offered = await offer(bridge);
      const uri = vscode.Uri.parse(`${bridge.mcpUrl}${offered.path}`, true);
      return [new vscode.McpHttpServerDefinition('Atlas Bridge', uri, {}, offered.version)];
    },
    async resolveMcpServerDefinition(definition) {
      const bridge = bridgeOf(await lifecycle.begin());
      if (bridge === undefined) return undefined;
      definition.uri = vscode.Uri.parse(`${bridge.mcpUrl}${(await offer(bridge)).path}`, true);
      definition.headers = { Authorization: `Bearer ${await token()}` };
      return definition;
    },
  };
  addDisposable(store, vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, provider));
  return store;
}
