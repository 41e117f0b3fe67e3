import { env } from 'node:process';
import * as vscode from 'vscode';
import type { NodeRootHostOptions } from '../adapters/node/node-root-host.ts';
import { withRoots } from '../adapters/node/root-variables.ts';
import type { EditorSettings } from '../../vscode/settings.ts';

/** Returns the variables of the process with the roots from the setting `atlas.docs.roots`, and the open folders. */
export const rootEnvironment = (
  settings: Pick<EditorSettings, 'docsEnvironment' | 'docsRoots'>,
): Pick<NodeRootHostOptions, 'environment' | 'folders'> => ({
  environment() {
    const overlay = Object.entries(settings.docsEnvironment()).map(([name, value]) => [name, value ?? undefined]);
    return withRoots({ ...env, ...Object.fromEntries(overlay) }, settings.docsRoots());
  },
  folders: () =>
    (vscode.workspace.workspaceFolders ?? [])
      .filter(folder => folder.uri.scheme === 'file')
      .map(({ name, uri }) => ({ name, path: uri.fsPath })),
});
