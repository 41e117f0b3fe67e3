import { DisposableStore } from '../../base/disposable-store.ts';
import { registerRootsCommands, type RootsCommandsDeps } from './roots-commands.ts';
import { createRootsView, type RootsViewDeps } from './roots-view.ts';

/** The Roots view and the commands that belong to it. */
export function registerRoots(deps: RootsViewDeps & Omit<RootsCommandsDeps, 'view'>): Disposable {
  const store = new DisposableStore();
  const view = store.add(createRootsView(deps));
  store.add(registerRootsCommands({ ...deps, view }));
  return store;
}
