import type { DisposableStore } from '../../base/disposable-store.ts';
import { loadOnce } from '../../base/load-once.ts';
import type { ReviewEditors } from './review-editors.ts';

/** Creates editors that are loaded when the first diff is opened, and end with `store`. */
export function createLazyEditors(
  store: DisposableStore,
  load: () => Promise<ReviewEditors>,
): Pick<ReviewEditors, 'open'> {
  const loaded = loadOnce(async () => store.add(await load()));
  return { open: async (...diff) => (await loaded()).open(...diff) };
}
