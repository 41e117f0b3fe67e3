import * as vscode from 'vscode';
import type { ProjectSession } from '../project-session.ts';
import { type BridgeLifecycle, followBridge } from '../../vscode/bridge-lifecycle.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { sourcemapSettings, sourcemapTarget } from './sourcemap-target.ts';

export interface SourcemapAutoWriteDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly folder: () => vscode.Uri | undefined;
  /** Keeps the sourcemap in that file up to date. */
  readonly keep: (session: ProjectSession, file: vscode.Uri) => Disposable;
}

/** Keeps the sourcemap up to date while a project is open and the settings request the sourcemap. */
export function createSourcemapAutoWrite({ lifecycle, folder, keep }: SourcemapAutoWriteDeps): Disposable {
  return followBridge(lifecycle, (state, alive) => {
    if (state.kind !== 'running') return;
    const { bridge } = state;
    let kept: { readonly session: ProjectSession; readonly file: string; readonly keeping: Disposable } | undefined;
    const follow = (): void => {
      const session = bridge.session();
      const root = folder();
      const file = session && root && sourcemapTarget(root);
      if (kept?.session === (file && session) && kept?.file === file?.toString()) return;
      kept?.keeping[Symbol.dispose]();
      kept = session && file && { session, file: file.toString(), keeping: keep(session, file) };
    };
    alive.add(bridge.onDidChangeProject(follow));
    addDisposable(
      alive,
      vscode.workspace.onDidChangeConfiguration(event => {
        if (sourcemapSettings.some(name => event.affectsConfiguration(name))) follow();
      }),
    );
    addDisposable(alive, vscode.extensions.onDidChange(follow));
    alive.defer(() => kept?.keeping[Symbol.dispose]());
    follow();
  });
}
