import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { env } from 'node:process';
import * as vscode from 'vscode';
import type { RootHost } from '../ports/root-host.ts';
import type { EditorSettings } from '../../vscode/settings.ts';

/** The variables of the process with the setting laid over them, as `terminal.integrated.env` does it; and the open folders. */
export const rootEnvironment = (
  settings: Pick<EditorSettings, 'docsEnvironment'>,
): Pick<RootHost, 'environment' | 'folders'> => ({
  environment() {
    const overlay = Object.entries(settings.docsEnvironment()).map(([name, value]) => [name, value ?? undefined]);
    return { ...env, ...Object.fromEntries(overlay) };
  },
  folders: () =>
    (vscode.workspace.workspaceFolders ?? [])
      .filter(folder => folder.uri.scheme === 'file')
      .map(({ name, uri }) => ({
        name: name === '' ? basename(uri.fsPath) : name,
        path: uri.fsPath,
        hasDocs: lstatSync(join(uri.fsPath, 'docs'), { throwIfNoEntry: false })?.isDirectory() ?? false,
      })),
});
