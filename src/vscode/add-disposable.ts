import type { Disposable as EditorDisposable } from 'vscode';
import type { DisposableStore } from '../base/disposable-store.ts';

/** Adds a VS Code disposable to `store` and returns it. */
export function addDisposable<T extends EditorDisposable>(store: DisposableStore, item: T): T {
  store.defer(() => void item.dispose());
  return item;
}
