import * as vscode from 'vscode';
import type { StudioLink } from '../studio/studio-link.ts';

/**
 * Lets a person choose among several Studios; of none or one, nobody is asked.
 *
 * @returns no handle where there is nothing to choose; `undefined`: they thought better of it
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
  return await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('More than one Studio is connected. Choose one.'),
    matchOnDescription: true,
  });
}
