import { posix } from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { once } from '../../base/once.ts';

/** The results of merges, in memory. They are documents that can be edited and saved, and an abandoned merge touches no file. */
export interface MergeResults extends Disposable {
  /** Adds or replaces the result of a merge. People see `path`; `key` distinguishes merges of one path. */
  put(path: string, key: string, text: string): vscode.Uri;
  remove(uri: vscode.Uri): void;
}

const SCHEME = 'atlas-merge-result';

interface MergeResult {
  readonly bytes: Uint8Array;
  /** The number of the write, because VS Code detects new content by its time. */
  readonly mtime: number;
}

export function createMergeResults(): MergeResults {
  const store = new DisposableStore();
  const results = new Map<string, MergeResult>();
  let writeCount = 0;
  const changed = addDisposable(store, new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  const find = (uri: vscode.Uri): MergeResult => {
    const found = results.get(uri.toString());
    if (found === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  };
  const write = (uri: vscode.Uri, bytes: Uint8Array): void => {
    writeCount += 1;
    results.set(uri.toString(), { bytes, mtime: writeCount });
    changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    stat(uri) {
      const { bytes, mtime } = find(uri);
      return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
    },
    readFile: uri => find(uri).bytes,
    writeFile(uri, bytes) {
      find(uri);
      write(uri, bytes);
    },
    readDirectory: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  // Registered with the first merge, because most windows never show one.
  const register = once(() => addDisposable(store, vscode.workspace.registerFileSystemProvider(SCHEME, provider)));
  return {
    put(path, key, text) {
      register();
      const uri = vscode.Uri.from({ scheme: SCHEME, path: path.startsWith('/') ? path : `/${path}`, query: key });
      write(uri, new TextEncoder().encode(text));
      return uri;
    },
    remove: uri => void results.delete(uri.toString()),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** The result document of a merge editor's tab. Its input has no public type, so it is recognized by its shape. */
export function mergeResultOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const result: unknown = typeof input === 'object' && input !== null && 'result' in input ? input.result : undefined;
  return result instanceof vscode.Uri && result.scheme === SCHEME ? result : undefined;
}

/** Closes merges that a window shows again after a reload, and names them: their reviews have ended, and their texts were in memory. */
export async function closeAbandonedMerges(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  const abandoned = tabs.filter(tab => mergeResultOf(tab) !== undefined);
  if (abandoned.length === 0) return;
  await vscode.window.tabGroups.close(abandoned);
  const names = new Set(abandoned.map(tab => posix.basename(mergeResultOf(tab)?.path ?? '')));
  const listed = Array.from(names).join(', ');
  void safeWindow.showWarningMessage(
    plural(
      names.size,
      vscode.l10n.t(
        'The window reloaded before the merge of {0} was complete, so its text is lost. Start the review again to merge it.',
        listed,
      ),
      vscode.l10n.t(
        'The window reloaded before these merges were complete, so their texts are lost: {0}. Start the review again to merge them.',
        listed,
      ),
    ),
  );
}
