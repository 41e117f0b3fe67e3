import type * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { ForwardedPort } from '../../../vscode/forwarded-port.ts';
import { type ChangeCommandsDeps, registerChangeCommands } from './change-commands.ts';
import { createChangesView } from './changes-view.ts';
import { updateContexts } from './view-contexts.ts';
import { registerExplorerBadges } from './explorer-badges.ts';
import { createHistoryView } from './history-view.ts';
import type { ScheduleIdle } from '../../../vscode/idle-scheduler.ts';
import { registerActiveProjectCommands } from './active-project-commands.ts';
import { createStudiosView } from './studios-view.ts';
import type { UnservedProjects } from '../../../vscode/unserved-projects.ts';

export interface ViewsDeps extends Omit<ChangeCommandsDeps, 'view'> {
  readonly port: ForwardedPort;
  /** The folder of the project file. */
  readonly projectFolder: () => vscode.Uri | undefined;
  readonly unserved: UnservedProjects;
  readonly showBadges: () => boolean;
  readonly state: vscode.Memento;
  readonly schedule: ScheduleIdle;
}

/** Registers the views Changes, Studios and History, their commands, and the Explorer badges. */
export function registerViews(deps: ViewsDeps): Disposable {
  const { lifecycle, pending, folder, projectFolder, unserved, port, state, schedule } = deps;
  const store = new DisposableStore();
  schedule(() => store.add(updateContexts(lifecycle, pending)));
  const view = store.add(createChangesView(lifecycle, pending));
  store.add(registerChangeCommands({ ...deps, view }));
  schedule(() => store.add(registerExplorerBadges({ pending, folder, isOn: deps.showBadges })));
  store.add(createStudiosView(lifecycle, unserved, projectFolder, port));
  store.add(createHistoryView(lifecycle));
  store.add(
    registerActiveProjectCommands({ lifecycle, unserved, state, port, folder: projectFolder, showLog: deps.showLog }),
  );
  return store;
}
