import { DisposableStore } from '../../base/disposable-store.ts';
import { registerRootsCommands, type RootsCommandsDeps } from './roots-commands.ts';
import { createRootsView, type RootsViewDeps } from './roots-view.ts';

/** Registers the Roots view and its commands. */
export function registerRoots(deps: RootsViewDeps & Omit<RootsCommandsDeps, 'view'>): Disposable {
  const store = new DisposableStore();
  const view = store.add(createRootsView(deps));
  store.add(registerRootsCommands({ ...deps, view }));
  return store;
}
