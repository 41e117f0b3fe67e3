import * as vscode from 'vscode';

export interface WatchFoldersDeps {
  /** Whether something below a deleted path is shown or used. */
  readonly isUsed: (path: vscode.Uri) => boolean;
  /** Called with paths that were created or deleted at the same time, and may be folders. */
  readonly onChange: (paths: readonly vscode.Uri[]) => void;
}

/**
 * Watches the folders of the workspace. VS Code reports a folder that is deleted, renamed or moved without the files in it, so a watcher
 * with a pattern for files misses them. A created path may be a folder if its name has no dot; other folders are found with their files.
 */
export function watchFolders({ isUsed, onChange }: WatchFoldersDeps): Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  let changed: vscode.Uri[] = [];
  const add = (uri: vscode.Uri): void => {
    changed.push(uri);
    if (changed.length > 1) return;
    // VS Code fires the events of a moment one after another.
    queueMicrotask(() => {
      const paths = changed;
      changed = [];
      onChange(paths);
    });
  };
  watcher.onDidCreate(uri => void (isLikelyFolder(uri) && add(uri)));
  watcher.onDidDelete(uri => void ((isLikelyFolder(uri) || isUsed(uri)) && add(uri)));
  return { [Symbol.dispose]: () => void watcher.dispose() };
}

function isLikelyFolder({ path }: vscode.Uri): boolean {
  const parts = path.split('/');
  return !parts.includes('node_modules') && !parts.includes('.git') && parts.at(-1)?.includes('.') === false;
}

/** Whether a path is below a folder. */
export const isBelow = ({ path }: vscode.Uri, folder: vscode.Uri): boolean => path.startsWith(`${folder.path}/`);
