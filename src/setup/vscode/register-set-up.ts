import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { loadOnce } from '../../base/load-once.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import type { ScheduleIdle } from '../../vscode/idle-scheduler.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { type DoctorDeps, registerDoctor } from './doctor.ts';
import { registerSetUpCommands, type SetUpCommandsDeps } from './set-up-commands.ts';
import { updateSetUpContexts } from './set-up-contexts.ts';
import type { SetUpFlows, SetUpFlowsDeps } from './set-up-flows.ts';

export interface SetUpDeps extends DoctorDeps, SetUpFlowsDeps, Omit<SetUpCommandsDeps, 'changed'> {
  /** Loads the commands that ask questions, which most windows never run. */
  readonly loadFlows: (deps: SetUpFlowsDeps) => Promise<SetUpFlows>;
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
  const flows = loadOnce(async () => store.add(await deps.loadFlows(deps)));
  store.add(registerDoctor({ ...deps, showFindings: async found => (await flows()).showFindings(found) }));
  store.add(registerSetUpCommands({ ...deps, changed: () => contexts.refresh() }));

  const register = (id: string, run: (loaded: SetUpFlows, argument: unknown) => Promise<unknown>): void =>
    void addDisposable(
      store,
      vscode.commands.registerCommand(id, async (argument: unknown) => {
        try {
          return await run(await flows(), argument);
        } catch (error) {
          deps.log.error(`${id} failed`, error);
          void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
          return undefined;
        }
      }),
    );
  // The walkthrough passes its own argument, which is an object without these members.
  register(commandIds.connectAgent, (loaded, choice) =>
    loaded.connectAgent(typeof choice === 'object' ? { ...choice } : {}),
  );
  register(commandIds.createProject, loaded => loaded.createProject());
  register(commandIds.openExample, (loaded, target) =>
    loaded.openExample(typeof target === 'string' ? vscode.Uri.file(target) : undefined),
  );
  return { refresh: () => contexts.refresh(), [Symbol.dispose]: () => store[Symbol.dispose]() };
}
