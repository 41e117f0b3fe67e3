import * as vscode from 'vscode';
import { locateRipgrep } from '../docs/adapters/ripgrep/ripgrep-locator.ts';
import type { EditorSettings } from '../vscode/settings.ts';

/** Finds ripgrep: the configured one, VS Code's own, or the first on the PATH. */
export const findRipgrep = (settings: EditorSettings): Promise<string | undefined> =>
  locateRipgrep({ setting: settings.ripgrepPath(), appRoot: vscode.env.appRoot, path: process.env['PATH'] });
