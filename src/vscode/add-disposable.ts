import type { Disposable as EditorDisposable } from 'vscode';
import type { DisposableStore } from '../base/disposable-store.ts';

/** Lets `store` dispose something of VS Code's, and hands it back. */
export function addDisposable<T extends EditorDisposable>(store: DisposableStore, item: T): T {
  store.defer(() => void item.dispose());
  return item;
}
