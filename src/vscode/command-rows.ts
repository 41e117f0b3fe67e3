import * as vscode from 'vscode';
import { safeWindow } from './safe-window.ts';

/**
 * The rows that a command works on: those that VS Code passes, which are the pressed one and those selected with it, or the selected ones if
 * it was started by key or from the palette. VS Code passes `undefined` for a row that it is reading again; another row must not be
 * changed in its place.
 *
 * @param args of the command
 * @returns `undefined` if VS Code does not know a row at the moment; a message says so
 */
export function rowsOf<Row>(
  args: readonly unknown[],
  isRow: (value: unknown) => value is Row,
  selected: () => readonly Row[],
): readonly Row[] | undefined {
  if (args.length === 0) return selected();
  const [pressed, together] = args;
  const rows: readonly unknown[] = Array.isArray(together) && together.length > 0 ? together : [pressed];
  if (rows.every(isRow)) return rows;
  void safeWindow.showInformationMessage(vscode.l10n.t('Nothing happened: the view was being updated. Try again.'));
  return undefined;
}
