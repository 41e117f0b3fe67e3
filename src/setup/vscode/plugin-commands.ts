import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Delivered, PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { deliveryOutcome, failedWith, type CommandRefused, type WithOutcome } from '../../vscode/command-outcome.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { WindowPlace } from '../../vscode/window-place.ts';

export interface PluginCommandsDeps {
  readonly delivery: PluginDelivery;
  /** `undefined`: it cannot be done from this window, and the person was told. */
  readonly install: () => Promise<Delivered | undefined>;
  readonly version: string;
  readonly place: WindowPlace;
  readonly log: Logger;
}

export interface PluginCommands extends Disposable {
  /** Brings an installed plugin to this version and says so; an installation of this version goes by silently. Never rejects. */
  update(): Promise<void>;
}

/** Commands that put the Studio plugin where Studio finds it. Each answers with what was changed, or why nothing was. */
export function registerPluginCommands({ delivery, install, version, place, log }: PluginCommandsDeps): PluginCommands {
  const store = new DisposableStore();
  const trying = async (
    what: string,
    work: () => Promise<Delivered | undefined>,
  ): Promise<WithOutcome<Delivered> | CommandRefused> => {
    try {
      const delivered = await work();
      if (delivered === undefined) return { outcome: 'refused' };
      log.info(what, { changed: delivered.changed.join(', '), current: delivered.current.join(', ') });
      return { ...delivered, outcome: deliveryOutcome(delivered) };
    } catch (error) {
      const failure = AppError.from(error);
      log.error(`${what} failed`, error);
      void vscode.window.showErrorMessage(personSentence(failure, vscode.l10n));
      return failedWith(failure);
    }
  };
  const tell = (text: string): void => void vscode.window.showInformationMessage(text);

  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.installPlugin, async () => {
      const done = await trying('the Studio plugin was installed', install);
      if (!('changed' in done)) return done;
      tell(
        done.changed.length === 0
          ? vscode.l10n.t('The Studio plugin {0} is already installed.', version)
          : place.kind === 'browser'
            ? vscode.l10n.t(
                'The Studio plugin {0} was installed on {1}. Restart Roblox Studio there to load it. On any other computer, install the plugin separately.',
                version,
                place.name,
              )
            : vscode.l10n.t('The Studio plugin {0} was installed. Restart Roblox Studio to load it.', version),
      );
      return done;
    }),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.removePlugin, async () => {
      const done = await trying('the Studio plugin was removed', () => delivery.remove());
      if (!('changed' in done)) return done;
      tell(
        done.changed.length === 0
          ? vscode.l10n.t('Atlas Bridge has not installed a Studio plugin.')
          : vscode.l10n.t('The Studio plugin was removed. Restart Roblox Studio to unload it.'),
      );
      return done;
    }),
  );
  return {
    async update() {
      const done = await trying('the Studio plugin was looked at', () => delivery.update());
      if (done.outcome === 'done')
        tell(vscode.l10n.t('The Studio plugin was updated to {0}. Restart Roblox Studio to load it.', version));
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
