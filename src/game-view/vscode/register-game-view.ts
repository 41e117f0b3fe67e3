import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { loadOnce } from '../../base/load-once.ts';
import type { Logger } from '../../ports/logger.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import type { ScheduleIdle } from '../../vscode/idle-scheduler.ts';
import type { GameCommands } from './game-commands.ts';

export interface RegisterGameViewDeps {
  readonly load: () => Promise<Disposable & { readonly commands: GameCommands }>;
  readonly schedule: ScheduleIdle;
  readonly log: Logger;
}

/** Registers the commands of the Game view. Loads the view when there is time, or for the first command. */
export function registerGameView({ load, schedule, log }: RegisterGameViewDeps): Disposable {
  const store = new DisposableStore();
  const commands = loadOnce(async () => store.add(await load()).commands);
  const handlers: Readonly<Record<string, keyof GameCommands>> = {
    [commandIds.searchGame]: 'search',
    [commandIds.refreshGame]: 'refresh',
    [commandIds.revealGameFile]: 'revealFile',
    [commandIds.revealInGame]: 'reveal',
    [commandIds.selectInStudio]: 'select',
  };
  for (const [id, name] of Object.entries(handlers))
    addDisposable(
      store,
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => (await commands())[name](...args)),
    );
  schedule(() => void commands().catch((error: unknown) => log.error('failed to load the Game view', error)));
  return store;
}
