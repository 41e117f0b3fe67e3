import * as vscode from 'vscode';
import type { ProjectSession } from '../project-session.ts';
import { type BridgeLifecycle, followBridge } from '../../vscode/bridge-lifecycle.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';

export interface SourcemapAutoWriteDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly folder: () => vscode.Uri | undefined;
  /** Reads the setting. */
  readonly isOn: (folder: vscode.Uri) => boolean;
  /** Keeps `sourcemap.json` in that folder up to date. */
  readonly keep: (session: ProjectSession, folder: vscode.Uri) => Disposable;
}

/** Keeps the sourcemap up to date while the setting is on and a project is open. */
export function createSourcemapAutoWrite({ lifecycle, folder, isOn, keep }: SourcemapAutoWriteDeps): Disposable {
  return followBridge(lifecycle, (state, alive) => {
    if (state.kind !== 'running') return;
    const { bridge } = state;
    let kept: { readonly session: ProjectSession; readonly keeping: Disposable } | undefined;
    const follow = (): void => {
      const session = bridge.session();
      const root = folder();
      const isWanted = session !== undefined && root !== undefined && isOn(root);
      if (kept?.session === (isWanted ? session : undefined)) return;
      kept?.keeping[Symbol.dispose]();
      kept = isWanted ? { session, keeping: keep(session, root) } : undefined;
    };
    alive.add(bridge.onDidChangeProject(follow));
    addDisposable(
      alive,
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('atlas.sourcemap.autoWrite')) follow();
      }),
    );
    alive.defer(() => kept?.keeping[Symbol.dispose]());
    follow();
  });
}
