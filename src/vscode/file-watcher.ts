import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../base/brand.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';

/** VS Code's own watcher over one folder, which honours `files.watcherExclude`. Events are hints and nothing more. */
export function createFileWatcher(folder: vscode.Uri): FileWatcher {
  return {
    watch(onHint) {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**/*'));
      const hint = (uri: vscode.Uri): void => {
        const path = posix.relative(folder.path, uri.path);
        // The pattern matches below the folder only; what still lies elsewhere came through a link.
        if (!path.startsWith('..')) onHint(path as ProjectPath);
      };
      watcher.onDidCreate(hint);
      watcher.onDidChange(hint);
      watcher.onDidDelete(hint);
      return { [Symbol.dispose]: () => watcher.dispose() };
    },
  };
}
