import * as vscode from 'vscode';
import { locateRipgrep } from '../docs/adapters/ripgrep/ripgrep-locator.ts';
import type { EditorSettings } from '../vscode/settings.ts';

/** The ripgrep to search with: the setting's, VS Code's own, or one on the path; `undefined` without any. */
export const findRipgrep = (settings: EditorSettings): Promise<string | undefined> =>
  locateRipgrep({ setting: settings.ripgrepPath(), appRoot: vscode.env.appRoot, path: process.env['PATH'] });
