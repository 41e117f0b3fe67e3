import * as vscode from 'vscode';

/**
 * Shows settings of a machine, by a search for `query`: in a remote window they stand with those of the machine that it works on, and
 * nowhere among the person's own.
 */
export async function openMachineSettings(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
