import * as vscode from 'vscode';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProjectSession } from '../project-session.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { type BridgeLifecycle, followBridges } from '../../vscode/bridge-lifecycle.ts';
import { projectPathOf } from '../../vscode/project-path-of.ts';

/**
 * Keeps files open whose instances were renamed, by a sync, by Live Sync or by another program: VS Code shows them as deleted. A file with
 * unsaved edits stays open under its old name.
 */
export function followRenamedFiles(
  lifecycle: Pick<BridgeLifecycle, 'bridges' | 'onDidChangeBridges'>,
  log: Logger,
): Disposable {
  return followBridges(lifecycle, (bridge, alive) => {
    let open: readonly OpenFile[] = [];
    const look = (): void => {
      const session = bridge.session();
      open = session === undefined ? [] : openFiles(bridge.location.root, session);
    };
    const follow = (): void => {
      const session = bridge.session();
      const before = open;
      look();
      for (const file of before) {
        const path = session && newPathOf(file, session);
        if (path === undefined) continue;
        const uri = vscode.Uri.joinPath(bridge.location.root, path);
        reopen(file.tab, uri).catch((error: unknown) =>
          log.warn('could not reopen a renamed file', { reason: String(error) }),
        );
      }
    };
    addDisposable(alive, vscode.window.tabGroups.onDidChangeTabs(look));
    let listening: Disposable | undefined;
    const enter = (): void => {
      listening?.[Symbol.dispose]();
      listening = bridge.session()?.onDidChange(follow);
      look();
    };
    alive.add(bridge.onDidChangeProject(enter));
    alive.defer(() => listening?.[Symbol.dispose]());
    enter();
  });
}

/** An open file, and the instance that it describes. */
interface OpenFile {
  readonly tab: vscode.Tab;
  readonly path: ProjectPath;
  readonly id: Ref;
}

const openFiles = (root: vscode.Uri, session: ProjectSession): readonly OpenFile[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(tab => {
      const path = tab.input instanceof vscode.TabInputText ? projectPathOf(root, tab.input.uri) : undefined;
      const [id] = path === undefined ? [] : session.idsAtPath(path);
      return path === undefined || id === undefined ? [] : [{ tab, path, id }];
    }),
  );

/** The new path of a file whose instance has another file now; `undefined` if it still has that one, or none. */
function newPathOf({ path, id }: OpenFile, session: ProjectSession): ProjectPath | undefined {
  const now = session.fsPathOf(id);
  return now === null || now === path || session.idsAtPath(path).length > 0 ? undefined : now;
}

/** Opens a file in the place of a tab. */
async function reopen(tab: vscode.Tab, uri: vscode.Uri): Promise<void> {
  if (tab.isDirty) return;
  const { viewColumn } = tab.group;
  const options = { viewColumn, preview: tab.isPreview, preserveFocus: true, background: !tab.isActive };
  await vscode.commands.executeCommand('vscode.open', uri, options);
  await vscode.window.tabGroups.close(tab, true);
}
