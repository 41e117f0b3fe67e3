import { describeCause } from '../../base/describe-cause.ts';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import type { DeliveryResult, PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { WindowPlace } from '../../vscode/window-place.ts';
import { showSaveDialog } from '../../vscode/file-dialogs.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

/**
 * Installs the plugin into Studio's Plugins folder. In a remote window that folder is on another machine, so the user is offered to save the
 * plugin on their own computer instead; the result is then `undefined`.
 *
 * @param file absolute path of the bundled plugin
 * @throws AppError as `delivery.install` does
 */
export async function installPlugin(
  delivery: PluginDelivery,
  file: string,
  place: WindowPlace,
): Promise<DeliveryResult | undefined> {
  if (place.kind === 'here') return delivery.install();
  if (place.kind !== 'remote')
    try {
      return await delivery.install();
    } catch (error) {
      if (!AppError.is(error, 'STUDIO_NOT_FOUND')) throw error;
    }
  offerToSave(place.name, file);
  return undefined;
}

/** Not awaited: an open notification must not block the command. */
function offerToSave(name: string, file: string): void {
  const save = vscode.l10n.t('Save Plugin…');
  const copyAddress = vscode.l10n.t('Copy Address for Studio');
  const text = vscode.l10n.t(
    "You are connected to {0}. Install the plugin on your own computer: save it to Studio's Plugins folder, or run Install Studio Plugin in a local window.",
    name,
  );
  void safeWindow.showWarningMessage(text, save, copyAddress).then(async pressed => {
    if (pressed === save) await savePlugin(name, file);
    if (pressed === copyAddress) await vscode.commands.executeCommand(commandIds.copyAddress);
  });
}

/** The URI scheme with which a remote extension reaches a file that the user chose on their own computer. */
const LOCAL_SCHEME = 'vscode-local';

async function savePlugin(name: string, file: string): Promise<void> {
  const target = await showSaveDialog({
    title: vscode.l10n.t('Save the Studio plugin on your own computer'),
    button: vscode.l10n.t('Save Plugin'),
    defaultUri: vscode.Uri.from({ scheme: LOCAL_SCHEME, path: `/${basename(file)}` }),
    filters: { [vscode.l10n.t('Studio plugin')]: ['rbxmx'] },
  });
  if (target === undefined) return;
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(file));
    await vscode.workspace.fs.writeFile(target, bytes);
    // Verify the copy: it passes several processes, and Studio ignores a damaged plugin without a message.
    const arrived = await vscode.workspace.fs.readFile(target);
    if (Buffer.compare(arrived, bytes) !== 0)
      throw new AppError('FS_WRITE_FAILED', { file: target.path, reason: 'the saved file has different content' });
  } catch (error) {
    const failure = AppError.is(error, 'FS_WRITE_FAILED')
      ? error
      : new AppError('FS_WRITE_FAILED', { file: target.path, reason: describeCause(error) });
    void safeWindow.showErrorMessage(personSentence(failure, vscode.l10n));
    return;
  }
  if (target.scheme === LOCAL_SCHEME)
    void safeWindow.showInformationMessage(
      vscode.l10n.t(
        'The Studio plugin was saved on your computer. Roblox Studio loads it at the next start if the file is in its Plugins folder.',
      ),
    );
  else
    void safeWindow.showWarningMessage(
      vscode.l10n.t('The Studio plugin was saved on {0}, where Studio cannot find it: {1}', name, target.path),
    );
}
