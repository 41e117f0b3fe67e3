import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { withActiveProject } from '../../vscode/project-label.ts';
import type { WindowPendingChanges } from '../../vscode/pending-changes.ts';
import { createGameCommands, fileOf, type GameCommands } from './game-commands.ts';
import { createGameView } from './game-view.ts';
import { createPropertiesView } from './properties-view.ts';
import { followPlace } from './shown-place.ts';

export interface OpenGameViewDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly pending: WindowPendingChanges;
  readonly clock: Clock;
  readonly log: Logger;
  /** The root folder of the project's paths. */
  readonly folder: () => vscode.Uri | undefined;
  readonly extensionUri: vscode.Uri;
}

/** Opens the views Game and Properties. */
export function openGameView(deps: OpenGameViewDeps): Disposable & { readonly commands: GameCommands } {
  const { lifecycle, pending, folder, extensionUri, log } = deps;
  const store = new DisposableStore();
  const reflection = (): Reflection | undefined => {
    const state = lifecycle.state();
    return state.kind === 'running' ? state.bridge.reflection : undefined;
  };
  const place = store.add(followPlace(deps));
  const view = store.add(
    createGameView({
      place,
      pending,
      reflection,
      extensionUri,
      fileOf: node => fileOf(place, node),
      describe: title => withActiveProject(lifecycle, title),
    }),
  );
  const properties = store.add(createPropertiesView(place, reflection));
  const showSelected = (): void => {
    properties.show(view.selected()).catch((error: unknown) => log.error('failed to read properties', error));
  };
  store.add(view.onDidSelect(showSelected));
  store.add(place.onDidChange(showSelected));
  return {
    commands: createGameCommands({ place, view, folder }),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
