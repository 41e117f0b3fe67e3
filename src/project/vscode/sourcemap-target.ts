import { hasLuauLanguageServer } from '../../vscode/luau-language-server.ts';
import * as vscode from 'vscode';
import { sourcemapName } from '../sourcemap/sourcemap-name.ts';

/** Settings that change the result of `sourcemapTarget`. */
export const sourcemapSettings = ['atlas.sourcemap.autoWrite', 'luau-lsp.sourcemap'];

/** The file in which the sourcemap of the project in `folder` is kept up to date; `undefined`: none. */
export function sourcemapTarget(folder: vscode.Uri): vscode.Uri | undefined {
  const set = vscode.workspace.getConfiguration('atlas', folder).inspect<boolean>('sourcemap.autoWrite');
  const expected = vscode.workspace.getConfiguration('luau-lsp.sourcemap', folder);
  const name = sourcemapName({
    autoWrite: set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue,
    luauLsp: hasLuauLanguageServer()
      ? {
          enabled: expected.get('enabled'),
          generatorCommand: expected.get('generatorCommand'),
          sourcemapFile: expected.get('sourcemapFile'),
        }
      : undefined,
  });
  return name === undefined ? undefined : vscode.Uri.joinPath(folder, name);
}
