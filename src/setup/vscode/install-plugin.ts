import { basename } from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import type { Delivered, PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { WindowPlace } from '../../vscode/window-place.ts';

/**
 * Puts the plugin where Studio finds it. In a window of another machine that would be the wrong one: there the person is told so, and may
 * save the plugin on their own. `undefined`: they were told.
 *
 * @param file the plugin that this extension carries, absolute
 * @throws AppError as `delivery.install` does
 */
export async function installPlugin(
  delivery: PluginDelivery,
  file: string,
  place: WindowPlace,
): Promise<Delivered | undefined> {
  if (place.kind === 'here') return delivery.install();
  if (place.kind !== 'remote')
    try {
      return await delivery.install();
    } catch (error) {
      if (!AppError.is(error, 'STUDIO_NOT_FOUND')) throw error;
    }
  tellRemote(place.name, file);
  return undefined;
}

/** Not waited for: a notification that nobody closes must not hold the command. */
function tellRemote(name: string, file: string): void {
  const save = vscode.l10n.t('Save Plugin…');
  const copyAddress = vscode.l10n.t('Copy Address for Studio');
  const text = vscode.l10n.t(
    "You are connected to {0}. Install the plugin on your own computer: save it to Studio's Plugins folder, or run Install Studio Plugin in a local window.",
    name,
  );
  void vscode.window.showWarningMessage(text, save, copyAddress).then(async pressed => {
    if (pressed === save) await savePlugin(name, file);
    if (pressed === copyAddress) await vscode.commands.executeCommand(commandIds.copyAddress);
  });
}

/** Under this scheme an extension on another machine reaches the files of the person's own, once they have chosen one. */
const PERSONS_MACHINE = 'vscode-local';

async function savePlugin(name: string, file: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save the Studio plugin on your own computer'),
    defaultUri: vscode.Uri.from({ scheme: PERSONS_MACHINE, path: `/${basename(file)}` }),
    filters: { [vscode.l10n.t('Studio plugin')]: ['rbxmx'] },
  });
  if (target === undefined) return;
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(file));
    await vscode.workspace.fs.writeFile(target, bytes);
    // The way there has many hands, and the first that sees a broken plugin would be Studio, which says nothing.
    const arrived = await vscode.workspace.fs.readFile(target);
    if (Buffer.compare(arrived, bytes) !== 0)
      throw new AppError('FS_WRITE_FAILED', { file: target.path, reason: 'it reads otherwise' });
  } catch (error) {
    const failure = AppError.is(error, 'FS_WRITE_FAILED')
      ? error
      : new AppError('FS_WRITE_FAILED', { file: target.path, reason: String(error) });
    void vscode.window.showErrorMessage(personSentence(failure, vscode.l10n));
    return;
  }
  if (target.scheme === PERSONS_MACHINE)
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The Studio plugin was saved on your computer. Roblox Studio loads it at the next start if the file is in its Plugins folder.',
      ),
    );
  else
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The Studio plugin was saved on {0}, where Studio cannot find it: {1}', name, target.path),
    );
}
