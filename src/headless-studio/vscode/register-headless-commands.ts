import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { loadOnce } from '../../base/load-once.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { commandIds } from '../../vscode/command-ids.ts';

const names = ['openPlace', 'savePlace', 'closePlace', 'runLuau', 'showHeadlessOutput'] as const;

/** The commands of headless Studio. Each one shows its own failures. */
export interface HeadlessCommands extends Disposable {
  run(name: (typeof names)[number], argument: unknown): Promise<unknown>;
  /** Offers to open each kept place again. */
  offerKept(): Promise<void>;
  /** Keeps the content of the open place until the window opens again. Called when the window closes; never rejects. */
  keepOpenPlace(): Promise<void>;
}

export interface HeadlessRegistration extends Disposable {
  /** Offers the places that were open when the window closed. */
  offerKept(): Promise<void>;
  readonly keepOpenPlace: () => Promise<void>;
}

/** Registers the commands of headless Studio, and loads their code with the first one, because most windows never open a place. */
export function registerHeadlessCommands(
  load: () => Promise<HeadlessCommands>,
  mayHaveKept: () => Promise<boolean>,
): HeadlessRegistration {
  const store = new DisposableStore();
  let loaded: HeadlessCommands | undefined;
  const commands = loadOnce(async () => (loaded = store.add(await load())));
  for (const name of names) {
    const run = async (argument?: unknown): Promise<unknown> => (await commands()).run(name, argument);
    addDisposable(store, vscode.commands.registerCommand(commandIds[name], run));
  }
  return {
    async offerKept() {
      if (await mayHaveKept()) await (await commands()).offerKept();
    },
    keepOpenPlace: async () => loaded?.keepOpenPlace(),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
