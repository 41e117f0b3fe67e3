import * as vscode from 'vscode';
import { renamedSettingsInUse } from './settings.ts';
import { safeWindow } from './safe-window.ts';

const announcedKey = 'atlas.announcedRenames';

/** Shows the new name of each setting that is still set under its old name, once per setting. */
export async function announceRenamedSettings(memory: vscode.Memento, folder: vscode.Uri | undefined): Promise<void> {
  const announced = memory.get<readonly string[]>(announcedKey, []);
  const unannounced = renamedSettingsInUse(folder).filter(({ oldKey }) => !announced.includes(oldKey));
  if (unannounced.length === 0) return;
  await memory.update(announcedKey, [...announced, ...unannounced.map(({ oldKey }) => oldKey)]);
  const open = vscode.l10n.t('Open Settings');
  for (const { oldKey, key } of unannounced) {
    const text = vscode.l10n.t(
      'The setting {0} is now called {1}. Atlas Bridge still reads the old name in this version.',
      `atlas.${oldKey}`,
      `atlas.${key}`,
    );
    void safeWindow.showInformationMessage(text, open).then(pressed => {
      if (pressed === open) return vscode.commands.executeCommand('workbench.action.openSettings', `atlas.${key}`);
      return undefined;
    });
  }
}
