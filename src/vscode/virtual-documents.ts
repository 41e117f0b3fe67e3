import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { once } from '../base/once.ts';
import { addDisposable } from './add-disposable.ts';

/** Read-only documents that no file stands behind. A text lives as long as an editor shows it. */
export interface VirtualDocuments extends Disposable {
  /** `path` is what tabs show and what the language is taken from; the same path holds the newest text. */
  put(path: string, text: string): vscode.Uri;
}

export function createVirtualDocuments(scheme: string): VirtualDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const changed = addDisposable(store, new vscode.EventEmitter<vscode.Uri>());
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: uri => texts.get(uri.toString()),
  };
  // With the first text: most windows never show one.
  const offer = once(() => {
    addDisposable(store, vscode.workspace.registerTextDocumentContentProvider(scheme, provider));
    addDisposable(
      store,
      vscode.workspace.onDidCloseTextDocument(
        ({ uri }) => void (uri.scheme === scheme && texts.delete(uri.toString())),
      ),
    );
  });
  return {
    put(path, text) {
      offer();
      const uri = vscode.Uri.from({ scheme, path: path.startsWith('/') ? path : `/${path}` });
      texts.set(uri.toString(), text);
      changed.fire(uri);
      return uri;
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
