import * as vscode from 'vscode';
import type { StudioLink } from '../studio/studio-link.ts';
import { safeWindow } from './safe-window.ts';

/**
 * Asks which Studio to use if more than one is connected.
 *
 * @returns no handle if there is at most one Studio; `undefined` if the user cancelled
 */
export async function pickStudio(
  studios: readonly Pick<StudioLink, 'handle' | 'hello'>[],
  title: string,
): Promise<{ readonly handle?: string } | undefined> {
  if (studios.length < 2) return {};
  const items = studios.map(({ handle, hello }) => ({
    label: hello.placeName,
    description: hello.placeId === 0 ? handle : vscode.l10n.t('{0}, place {1}', handle, hello.placeId),
    handle,
  }));
  return await safeWindow.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('More than one Studio is connected. Choose one.'),
    matchOnDescription: true,
  });
}
