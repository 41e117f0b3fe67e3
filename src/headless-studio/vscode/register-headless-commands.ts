import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { loadOnce } from '../../base/load-once.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { commandIds } from '../../vscode/command-ids.ts';

const names = ['openPlace', 'savePlace', 'closePlace', 'runLuau', 'showHeadlessOutput'] as const;

/** The commands of headless Studio. Each one shows its own failures. */
export interface HeadlessCommands extends Disposable {
  run(name: (typeof names)[number], argument: unknown): Promise<unknown>;
}

/** Registers the commands of headless Studio, and loads their code with the first one, because most windows never open a place. */
export function registerHeadlessCommands(load: () => Promise<HeadlessCommands>): Disposable {
  const store = new DisposableStore();
  const commands = loadOnce(async () => store.add(await load()));
  for (const name of names) {
    const run = async (argument?: unknown): Promise<unknown> => (await commands()).run(name, argument);
    addDisposable(store, vscode.commands.registerCommand(commandIds[name], run));
  }
  return store;
}
