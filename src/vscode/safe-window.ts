import * as vscode from 'vscode';
import { safeDetail, safeLabel, safeLine, safeLines, safeMessage } from '../base/safe-text.ts';

type Show = <T extends string>(
  message: string,
  ...rest: readonly (vscode.MessageOptions | T)[]
) => Thenable<T | undefined>;
type Level = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

/** Buttons are compared with what the caller passed, and are part of Atlas Bridge. */
const show =
  (level: Level): Show =>
  (message, ...rest) =>
    vscode.window[level](
      safeMessage(message),
      ...(rest.map(one =>
        typeof one === 'object' && one.detail !== undefined ? { ...one, detail: safeDetail(one.detail) } : one,
      ) as never[]),
    );

/** Makes the texts of an item safe. Icons of Atlas Bridge are in `iconPath`. */
const safeItem = <T extends vscode.QuickPickItem>(item: T): T => ({
  ...item,
  label: safeLabel(item.label),
  ...(item.description === undefined ? {} : { description: safeLabel(item.description) }),
  ...(item.detail === undefined ? {} : { detail: safeLabel(item.detail) }),
});

type Many = vscode.QuickPickOptions & { readonly canPickMany: true };
function showQuickPick<T extends vscode.QuickPickItem>(items: readonly T[], options: Many): Thenable<T[] | undefined>;
function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Thenable<T | undefined>;
function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Thenable<T | T[] | undefined> {
  return vscode.window.showQuickPick(items.map(safeItem), {
    ...options,
    ...(options.title === undefined ? {} : { title: safeLine(options.title) }),
    ...(options.placeHolder === undefined ? {} : { placeHolder: safeLine(options.placeHolder) }),
  });
}

/**
 * The parts of `vscode.window` that show text, with the same signatures: whatever the text contains, VS Code shows it and does nothing else
 * with it. Notifications and progress would turn `[text](command:…)` into a link that runs the command. All code uses these.
 */
export const safeWindow = {
  showInformationMessage: show('showInformationMessage'),
  showWarningMessage: show('showWarningMessage'),
  showErrorMessage: show('showErrorMessage'),
  showQuickPick,
  setStatusBarMessage: (text: string, ms: number): vscode.Disposable =>
    vscode.window.setStatusBarMessage(safeLabel(text), ms),
  withProgress<T>(
    options: vscode.ProgressOptions,
    task: (
      progress: vscode.Progress<{ message?: string; increment?: number }>,
      token: vscode.CancellationToken,
    ) => Promise<T>,
  ): Thenable<T> {
    const title = options.title === undefined ? {} : { title: safeMessage(options.title) };
    return vscode.window.withProgress({ ...options, ...title }, (progress, token) =>
      task(
        {
          report: ({ message, ...step }) =>
            progress.report({ ...step, ...(message === undefined ? {} : { message: safeMessage(message) }) }),
        },
        token,
      ),
    );
  },
};

/** A list to choose from whose items change while it is open. */
export function createSafeQuickPick<T extends vscode.QuickPickItem>(): {
  readonly pick: Omit<vscode.QuickPick<T>, 'items'>;
  readonly setItems: (items: readonly T[]) => void;
} {
  const pick = vscode.window.createQuickPick<T>();
  return { pick, setItems: items => void (pick.items = items.map(safeItem)) };
}

/** The texts of a row of a view. `tooltip`: its lines. `spoken`: what a screen reader says, if not label and description. */
export interface RowText {
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: readonly string[];
  readonly spoken?: string;
}

export function createTreeItem(
  { label, description, tooltip, spoken }: RowText,
  state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
  const item = new vscode.TreeItem(safeLabel(label), state);
  if (description !== undefined) item.description = safeLabel(description);
  if (tooltip !== undefined) item.tooltip = safeLines(tooltip.join('\n'));
  const said = spoken ?? description;
  if (said !== undefined) item.accessibilityInformation = { label: safeLine(`${label}, ${said}`) };
  return item;
}

/** The texts of a status bar item. `icon`: the name of an icon of VS Code. `tooltip`: its lines. */
export interface StatusText {
  readonly icon: string;
  readonly text: string;
  /** Shown after the text, with a symbol for differences. */
  readonly changeCount?: number;
  readonly tooltip: readonly string[];
  readonly spoken: string;
}

export function setStatusText(
  item: vscode.StatusBarItem,
  { icon, text, changeCount, tooltip, spoken }: StatusText,
): void {
  item.text = `$(${icon}) ${safeLabel(text)}${changeCount === undefined ? '' : ` $(diff) ${changeCount}`}`;
  item.tooltip = safeLines(tooltip.join('\n'));
  item.accessibilityInformation = { label: safeLine(spoken) };
}

/** Shows a text above the rows of a view. */
export const setViewMessage = (view: vscode.TreeView<unknown>, text: string): void =>
  void (view.message = safeDetail(text));
