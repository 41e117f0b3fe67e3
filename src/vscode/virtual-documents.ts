import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { once } from '../base/once.ts';
import { addDisposable } from './add-disposable.ts';

/** Read-only documents without a file. A text is kept while an editor shows it. */
export interface VirtualDocuments extends Disposable {
  /**
   * Adds or replaces the document at `path`. People see `path` in titles, and the language comes from it. `version` is not shown: it
   * distinguishes documents of one path, which VS Code then shows as one changed file instead of a renamed one.
   */
  put(path: string, text: string, version?: string): vscode.Uri;
}

/**
 * @param restore returns the text of a document that an editor shows again, such as after a reload of the window. VS Code waits for it only
 *   if the manifest has the activation event `onFileSystem` of the scheme.
 */
export function createVirtualDocuments(
  scheme: string,
  restore?: (uri: vscode.Uri) => string | Promise<string>,
): VirtualDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const changed = addDisposable(store, new vscode.EventEmitter<vscode.Uri>());
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: uri => texts.get(uri.toString()) ?? restore?.(uri),
  };
  const register = once(() => {
    addDisposable(store, vscode.workspace.registerTextDocumentContentProvider(scheme, provider));
    addDisposable(
      store,
      vscode.workspace.onDidCloseTextDocument(
        ({ uri }) => void (uri.scheme === scheme && texts.delete(uri.toString())),
      ),
    );
  });
  // The others are registered with the first text, because most windows never show one.
  if (restore !== undefined) register();
  return {
    put(path, text, version = '') {
      register();
      const uri = vscode.Uri.from({ scheme, path: path.startsWith('/') ? path : `/${path}`, query: version });
      texts.set(uri.toString(), text);
      changed.fire(uri);
      return uri;
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
