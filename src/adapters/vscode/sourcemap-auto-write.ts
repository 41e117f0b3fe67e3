import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { ProjectSession } from '../../core/sync/project-session.ts';
import type { BridgeLife, BridgeState } from './bridge-life.ts';
import { own } from './owned.ts';

export interface SourcemapAutoWriteDeps {
  readonly life: BridgeLife;
  readonly folder: () => vscode.Uri | undefined;
  /** Reads the setting. */
  readonly isOn: (folder: vscode.Uri) => boolean;
  /** Keeps `sourcemap.json` of that folder as the project wants it. */
  readonly keep: (session: ProjectSession, folder: vscode.Uri) => Disposable;
}

/** While the setting is on and a project is open, its sourcemap is kept fresh. */
export function createSourcemapAutoWrite({ life, folder, isOn, keep }: SourcemapAutoWriteDeps): Disposable {
  const store = new DisposableStore();
  let watched = store.add(new DisposableStore());
  const watch = (state: BridgeState): void => {
    watched[Symbol.dispose]();
    watched = store.add(new DisposableStore());
    if (state.kind !== 'running') return;
    const { bridge } = state;
    let kept: { readonly session: ProjectSession; readonly keeping: Disposable } | undefined;
    const follow = (): void => {
      const session = bridge.session();
      const root = folder();
      if (kept?.session === session) return;
      kept?.keeping[Symbol.dispose]();
      kept = session && root && isOn(root) ? { session, keeping: keep(session, root) } : undefined;
    };
    watched.add(bridge.onDidChangeProject(follow));
    watched.defer(() => kept?.keeping[Symbol.dispose]());
    follow();
  };
  store.add(life.onDidChange(watch));
  own(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('atlas.sourcemap.autoWrite')) watch(life.state());
    }),
  );
  watch(life.state());
  return store;
}
