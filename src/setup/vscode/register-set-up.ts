import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { registerConnectAgent } from './connect-agent.ts';
import { registerCreateProject } from './create-project.ts';
import { type DoctorDeps, registerDoctor } from './doctor.ts';
import { registerSetUpCommands, type SetUpCommandsDeps } from './set-up-commands.ts';
import type { ScheduleIdle } from '../../vscode/idle-scheduler.ts';
import { updateSetUpContexts } from './set-up-contexts.ts';

export interface SetUpDeps extends DoctorDeps, Omit<SetUpCommandsDeps, 'changed'> {
  /** The folder for a new project file. */
  readonly folder: () => Promise<vscode.Uri | undefined>;
  readonly schedule: ScheduleIdle;
}

export interface SetUp extends Disposable {
  /** Updates the walkthrough's check marks. Reads the disk. */
  refresh(): void;
}

/** Registers Doctor, the set-up and removal commands, and the walkthrough's check marks. */
export function registerSetUp(deps: SetUpDeps): SetUp {
  const store = new DisposableStore();
  const contexts = store.add(updateSetUpContexts(deps));
  store.add(registerDoctor(deps));
  store.add(registerConnectAgent(deps));
  store.add(registerCreateProject(deps.folder));
  store.add(registerSetUpCommands({ ...deps, changed: () => contexts.refresh() }));
  return { refresh: () => contexts.refresh(), [Symbol.dispose]: () => store[Symbol.dispose]() };
}
