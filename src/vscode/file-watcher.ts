import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../base/brand.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';

/** Watches a folder with VS Code's own watcher, which respects `files.watcherExclude`. Events are only hints. */
export function createFileWatcher(folder: vscode.Uri): FileWatcher {
  return {
    watch(onHint) {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**/*'));
      const hint = (uri: vscode.Uri): void => {
        const path = posix.relative(folder.path, uri.path);
        // The pattern only matches inside the folder; a path outside comes from a symbolic link.
        if (!path.startsWith('..')) onHint(path as ProjectPath);
      };
      watcher.onDidCreate(hint);
      watcher.onDidChange(hint);
      watcher.onDidDelete(hint);
      return { [Symbol.dispose]: () => watcher.dispose() };
    },
  };
}
