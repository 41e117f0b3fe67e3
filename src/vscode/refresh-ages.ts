import type { DisposableStore } from '../base/disposable-store.ts';

const AGE_REFRESH_MS = 60_000;

/** Draws a view again each minute while it is visible, because it shows ages. Ends with `store`. */
export function refreshAges(store: DisposableStore, view: { readonly visible: boolean }, draw: () => void): void {
  const timer = setInterval(() => void (view.visible && draw()), AGE_REFRESH_MS);
  store.defer(() => clearInterval(timer));
}
