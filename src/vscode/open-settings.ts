import * as vscode from 'vscode';

/**
 * Opens machine-scoped settings, filtered by `query`. In a remote window these settings are only in the remote settings, not in the user
 * settings.
 */
export async function openMachineSettings(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
