import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { env } from 'node:process';
import * as vscode from 'vscode';
import type { RootHost } from '../../ports/root-host.ts';

/**
 * The variables of the process with the setting `atlas.docs.environment` laid over them, as `terminal.integrated.env` does it: null
 * takes a variable away. Only what the user set counts: a workspace must not name folders of this machine, or urls.
 */
export const rootEnvironment: Pick<RootHost, 'environment' | 'folders'> = {
  environment() {
    const set: unknown = vscode.workspace.getConfiguration('atlas').inspect('docs.environment')?.globalValue;
    if (typeof set !== 'object' || set === null) return env;
    const overlay = Object.entries(set).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]);
    return { ...env, ...Object.fromEntries(overlay) };
  },
  folders: () =>
    (vscode.workspace.workspaceFolders ?? [])
      .filter(folder => folder.uri.scheme === 'file')
      .map(({ name, uri }) => ({
        name: name === '' ? basename(uri.fsPath) : name,
        path: uri.fsPath,
        hasDocs: existsSync(join(uri.fsPath, 'docs')),
      })),
};
