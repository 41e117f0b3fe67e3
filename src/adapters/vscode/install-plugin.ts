import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import type { Delivered, PluginDelivery } from '../../core/studio/delivery/plugin-delivery.ts';
import { commandIds } from './command-ids.ts';

/**
 * Puts the plugin where Studio finds it. A remote window whose machine has no Studio cannot: then the person is told what to do on their
 * own. `undefined`: they were told.
 *
 * @param file the plugin that this extension carries, absolute
 * @throws AppError as `delivery.install` does
 */
export async function installPlugin(delivery: PluginDelivery, file: string): Promise<Delivered | undefined> {
  try {
    return await delivery.install();
  } catch (error) {
    const { remoteName } = vscode.env;
    if (remoteName === undefined || !AppError.is(error, 'STUDIO_NOT_FOUND')) throw error;
    tellRemote(remoteName, file);
    return undefined;
  }
}

/** Not waited for: a notification that nobody closes must not hold the command. */
function tellRemote(remoteName: string, file: string): void {
  const copyPath = vscode.l10n.t('Copy Path of the Plugin');
  const copyAddress = vscode.l10n.t('Copy Address for Studio');
  const text = vscode.l10n.t(
    'This window works on another machine ({0}), and Roblox Studio runs on yours. Run Atlas: Install Studio Plugin once in a window of your own machine, or put the plugin into its plugins folder yourself. Studio then connects through the port that VS Code forwards.',
    remoteName,
  );
  void vscode.window.showWarningMessage(text, copyPath, copyAddress).then(async pressed => {
    if (pressed === copyPath) await vscode.env.clipboard.writeText(file);
    if (pressed === copyAddress) await vscode.commands.executeCommand(commandIds.copyAddress);
  });
}
