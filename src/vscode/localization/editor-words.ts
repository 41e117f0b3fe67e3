import * as vscode from 'vscode';
import { translating } from './known-phrases.ts';
import type { Localize } from './localize.ts';

/** `vscode.l10n` for what the core has said: reasons and problems that came as English text are translated too. */
export const editorWords: Localize = { t: translating(vscode.l10n) };
