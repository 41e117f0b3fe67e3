import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { BridgeLife } from './bridge-life.ts';
import { mcpProviderId } from './command-ids.ts';
import { own } from './owned.ts';

export interface McpDefinitionsDeps {
  readonly life: BridgeLife;
  readonly token: () => Promise<string>;
  /** Changes with every release: VS Code keeps tools per label and version. */
  readonly version: string;
}

/** Offers the bridge to VS Code's agents. The token is added at the last moment, when VS Code connects. */
export function registerMcpDefinitions({ life, token, version }: McpDefinitionsDeps): Disposable {
  const store = new DisposableStore();
  const changed = own(store, new vscode.EventEmitter<void>());
  store.add(life.onDidChange(state => void (state.kind !== 'starting' && changed.fire())));
  const provider: vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    async provideMcpServerDefinitions() {
      const state = await life.begin();
      if (state.kind !== 'running') return [];
      const uri = vscode.Uri.parse(state.bridge.mcpUrl, true);
      return [new vscode.McpHttpServerDefinition('Atlas Bridge', uri, {}, version)];
    },
    async resolveMcpServerDefinition(definition) {
      const state = await life.begin();
      if (state.kind !== 'running') return undefined;
      definition.uri = vscode.Uri.parse(state.bridge.mcpUrl, true);
      definition.headers = { Authorization: `Bearer ${await token()}` };
      return definition;
    },
  };
  own(store, vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, provider));
  return store;
}
