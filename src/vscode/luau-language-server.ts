import * as vscode from 'vscode';

/** The extension id of the Luau language server. */
export const LUAU_LANGUAGE_SERVER = 'johnnymorganz.luau-lsp';

export const hasLuauLanguageServer = (): boolean => vscode.extensions.getExtension(LUAU_LANGUAGE_SERVER) !== undefined;
