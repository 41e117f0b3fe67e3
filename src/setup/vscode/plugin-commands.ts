import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { DeliveryResult, PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { deliveryOutcome, failedWith, type CommandRefused, type WithOutcome } from '../../vscode/command-outcome.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { WindowPlace } from '../../vscode/window-place.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

export interface PluginCommandsDeps {
  readonly delivery: PluginDelivery;
  /** `undefined` if the plugin cannot be installed from this window; the user has been notified. */
  readonly install: () => Promise<DeliveryResult | undefined>;
  /** Replaces the key of this computer, and disconnects the Studios of this window. */
  readonly changeKey: () => Promise<void>;
  readonly version: string;
  readonly place: WindowPlace;
  readonly log: Logger;
}

export interface PluginCommands extends Disposable {
  /** Updates an installed plugin to this version and notifies the user. Does nothing if it is current. Never rejects. */
  update(): Promise<void>;
}

/** Registers the commands that install and remove the Studio plugin. Each returns the changed files, or the reason why nothing changed. */
export function registerPluginCommands({
  delivery,
  install,
  changeKey,
  version,
  place,
  log,
}: PluginCommandsDeps): PluginCommands {
  const store = new DisposableStore();
  const trying = async (
    what: string,
    work: () => Promise<DeliveryResult | undefined>,
  ): Promise<WithOutcome<DeliveryResult> | CommandRefused> => {
    try {
      const delivered = await work();
      if (delivered === undefined) return { outcome: 'refused' };
      log.info(what, { changed: delivered.changed.join(', '), current: delivered.current.join(', ') });
      return { ...delivered, outcome: deliveryOutcome(delivered) };
    } catch (error) {
      const failure = AppError.from(error);
      log.error(`${what} failed`, error);
      void safeWindow.showErrorMessage(personSentence(failure, vscode.l10n));
      return failedWith(failure);
    }
  };
  const notify = (text: string): void => void safeWindow.showInformationMessage(text);

  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.installPlugin, async () => {
      const done = await trying('install the Studio plugin', install);
      if (!('changed' in done)) return done;
      notify(
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
      const done = await trying('remove the Studio plugin', () => delivery.remove());
      if (!('changed' in done)) return done;
      notify(
        done.changed.length === 0
          ? vscode.l10n.t('Atlas Bridge has not installed a Studio plugin.')
          : vscode.l10n.t('The Studio plugin was removed. Restart Roblox Studio to unload it.'),
      );
      return done;
    }),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.changeStudioKey, async (how?: { readonly confirmed?: boolean }) => {
      if (how?.confirmed !== true && !(await askToChangeKey())) return { outcome: 'refused' };
      const done = await trying('change the Studio key', async () => {
        await changeKey();
        return delivery.update();
      });
      if ('changed' in done)
        notify(
          done.changed.length === 0
            ? vscode.l10n.t('The Studio key was changed. Install or pair the Studio plugin again.')
            : vscode.l10n.t(
                'The Studio key was changed, and the plugin was updated. Restart Roblox Studio to load it.',
              ),
        );
      return 'changed' in done ? { ...done, outcome: 'done' } : done;
    }),
  );
  return {
    async update() {
      const done = await trying('update the Studio plugin', () => delivery.update());
      if (done.outcome === 'done')
        notify(vscode.l10n.t('The Studio plugin was updated to {0}. Restart Roblox Studio to load it.', version));
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

async function askToChangeKey(): Promise<boolean> {
  const change = vscode.l10n.t('Change Key');
  const pressed = await safeWindow.showWarningMessage(
    vscode.l10n.t('Change the pairing key of your Studio plugins?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Every Studio disconnects. The plugin on this computer gets the new key, and plugins on other computers must be paired again.',
      ),
    },
    change,
  );
  return pressed === change;
}
