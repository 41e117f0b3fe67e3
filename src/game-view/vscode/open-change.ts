import * as vscode from 'vscode';
import { commandIds } from '../../vscode/command-ids.ts';

/** Opens a change of the last comparison as a diff, like a click in the Changes view. */
export const openChange = (id: string): vscode.Command => ({
  command: commandIds.openChange,
  title: vscode.l10n.t('Open Change'),
  arguments: [id],
});
