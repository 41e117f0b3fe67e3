import * as vscode from 'vscode';
import {
  MAX_DETAIL_LENGTH,
  MAX_LABEL_LENGTH,
  type SafeDetail,
  safeDetail,
  safeIconLabel,
  type SafeLabel,
  safeLabel,
  type SafeLine,
  safeLine,
  type SafeLines,
  safeLines,
  type SafeMessage,
  safeMessage,
} from '../base/safe-text.ts';

type Show = <T extends string>(
  message: string,
  ...rest: readonly (vscode.MessageOptions | T)[]
) => Thenable<T | undefined>;
type Level = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

/** A list entry, options or progress of VS Code with safe texts. `Texts`: their names. */
type WithSafe<T, Texts> = Omit<T, keyof Texts> & Texts;
type Item<T extends vscode.QuickPickItem> = WithSafe<
  T,
  { readonly label: SafeLabel; readonly description?: SafeLabel; readonly detail?: SafeLabel }
>;
type PickOptions = WithSafe<vscode.QuickPickOptions, { readonly title?: SafeLine; readonly placeHolder?: SafeLine }>;
type Step = { message?: SafeMessage; increment?: number };
interface ItemTexts {
  readonly text?: SafeLabel;
  readonly label?: SafeLabel;
  readonly description?: SafeLabel;
  readonly tooltip?: SafeLines;
  readonly accessibilityInformation?: { readonly label: SafeLine };
}

/** The functions of VS Code that show text, with types that accept no other text than a safe one. */
export interface TextSinks extends Readonly<
  Record<Level, <T extends string>(message: SafeMessage, ...rest: readonly T[]) => Thenable<T | undefined>>
> {
  readonly showQuickPick: <T extends vscode.QuickPickItem>(
    items: readonly Item<T>[],
    options: PickOptions,
  ) => Thenable<T | T[] | undefined>;
  readonly setStatusBarMessage: (text: SafeLabel, ms: number) => vscode.Disposable;
  readonly withProgress: <T>(
    options: WithSafe<vscode.ProgressOptions, { readonly title?: SafeMessage }>,
    task: (progress: { report(step: Step): void }, token: vscode.CancellationToken) => Promise<T>,
  ) => Thenable<T>;
}
const sinks: TextSinks = vscode.window;

/** How long a message stays in the status bar, unless a call says otherwise. */
const STATUS_MESSAGE_MS = 10_000;

/** Shows texts in a row of a view, or in an item of the status bar. */
const setTexts = (item: vscode.TreeItem | vscode.StatusBarItem, texts: ItemTexts): void =>
  void Object.assign(item, texts);

/** VS Code shows the first line of a notification without buttons, which has about this many characters. */
const MAX_LINE_LENGTH = 56;

/** Buttons are compared with the labels of the caller, and are part of Atlas Bridge. A longer notification gets one, so that it is whole. */
const show =
  (level: Level): Show =>
  (message, ...rest) => {
    const safeOptions = (options: vscode.MessageOptions): WithSafe<vscode.MessageOptions, { detail?: SafeDetail }> => {
      const { detail, ...others } = options;
      return { ...others, ...(detail === undefined ? {} : { detail: safeDetail(detail) }) };
    };
    const isCut = rest.length === 0 && message.length > MAX_LINE_LENGTH;
    const shown = isCut ? [vscode.l10n.t('OK')] : rest.map(one => (typeof one === 'object' ? safeOptions(one) : one));
    return sinks[level](safeMessage(message), ...(shown as never[]));
  };

/** Makes the texts of an item safe. Icons of Atlas Bridge are in `iconPath`. */
const safeItem = <T extends vscode.QuickPickItem>(item: T): Item<T> => {
  const { label, description, detail, ...others } = item;
  return {
    ...others,
    label: safeLabel(label),
    ...(description === undefined ? {} : { description: safeLabel(description) }),
    ...(detail === undefined ? {} : { detail: safeLabel(detail) }),
  };
};

/**
 * A list stays open until it is answered or Escape is pressed. VS Code gives the focus back to a web page (the review) a moment after the
 * palette or another list has closed, which would close a list that has opened meanwhile.
 */
const STAYS_OPEN = { ignoreFocusOut: true } as const;

/** Every list has a title, which says what the choice is for. */
type Titled = Omit<vscode.QuickPickOptions, 'ignoreFocusOut'> & { readonly title: string };
type Many = Titled & { readonly canPickMany: true };
function showQuickPick<T extends vscode.QuickPickItem>(items: readonly T[], options: Many): Thenable<T[] | undefined>;
function showQuickPick<T extends vscode.QuickPickItem>(items: readonly T[], options: Titled): Thenable<T | undefined>;
function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Titled,
): Thenable<T | T[] | undefined> {
  const { title, placeHolder, ...others } = options;
  return sinks.showQuickPick<T>(items.map(safeItem), {
    ...others,
    ...STAYS_OPEN,
    title: safeLine(title, MAX_LABEL_LENGTH),
    ...(placeHolder === undefined ? {} : { placeHolder: safeLine(placeHolder, MAX_LABEL_LENGTH) }),
  });
}

/**
 * The functions of `vscode.window` that show text, with the same signatures. VS Code shows any text without interpreting it; notifications
 * and progress would otherwise turn `[text](command:…)` into a link that runs the command. All code uses these.
 */
export const safeWindow = {
  showInformationMessage: show('showInformationMessage'),
  showWarningMessage: show('showWarningMessage'),
  showErrorMessage: show('showErrorMessage'),
  showQuickPick,
  setStatusBarMessage: (text: string, ms = STATUS_MESSAGE_MS): vscode.Disposable =>
    sinks.setStatusBarMessage(safeLabel(text), ms),
  withProgress<T>(
    options: vscode.ProgressOptions,
    task: (
      progress: vscode.Progress<{ message?: string; increment?: number }>,
      token: vscode.CancellationToken,
    ) => Promise<T>,
  ): Thenable<T> {
    const { title, ...others } = options;
    const safeTitle = title === undefined ? {} : { title: safeMessage(title) };
    return sinks.withProgress({ ...others, ...safeTitle }, (progress, token) =>
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
  const pick = Object.assign(vscode.window.createQuickPick<T>(), STAYS_OPEN);
  return { pick, setItems: items => void (pick.items = items.map(safeItem) as unknown as readonly T[]) };
}

/** The texts of a row of a view. `tooltip`: its lines. `spoken`: the text for screen readers, if not label and description. */
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
  const item = new vscode.TreeItem('', state);
  const said = spoken ?? description;
  setTexts(item, {
    label: safeLabel(label),
    ...(description === undefined ? {} : { description: safeLabel(description) }),
    ...(tooltip === undefined ? {} : { tooltip: safeLines(tooltip.join('\n'), MAX_DETAIL_LENGTH) }),
    ...(said === undefined
      ? {}
      : { accessibilityInformation: { label: safeLine(`${label}, ${said}`, MAX_LABEL_LENGTH) } }),
  });
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
  setTexts(item, {
    text: safeIconLabel(text, {
      before: icon,
      ...(changeCount === undefined ? {} : { after: { icon: 'diff', count: changeCount } }),
    }),
    tooltip: safeLines(tooltip.join('\n'), MAX_DETAIL_LENGTH),
    accessibilityInformation: { label: safeLine(spoken, MAX_LABEL_LENGTH) },
  });
}

/** Shows a text above the rows of a view. */
export const setViewMessage = (view: vscode.TreeView<unknown>, text: string): void =>
  void (view.message = safeDetail(text));

/** Shows a text beside the title of a view. */
export function setViewDescription(view: vscode.TreeView<unknown>, text: string): void {
  const description: SafeLine = safeLine(text, MAX_LABEL_LENGTH);
  view.description = description;
}

/** Names the tab of a page. */
export function setPanelTitle(panel: vscode.WebviewPanel, text: string): void {
  const title: SafeLine = safeLine(text, MAX_LABEL_LENGTH);
  panel.title = title;
}

/** The column that a command was called with; menus pass something else, or nothing. */
export const viewColumnOf = (argument: unknown): Pick<vscode.TextDocumentShowOptions, 'viewColumn'> =>
  typeof argument === 'number' ? { viewColumn: argument } : {};

/** Opens two texts in the diff editor. `title`: the name of the tab. */
export const showDiff = (
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options?: vscode.TextDocumentShowOptions,
): Thenable<unknown> => {
  const safeTitle: SafeLine = safeLine(title, MAX_LABEL_LENGTH);
  return vscode.commands.executeCommand('vscode.diff', left, right, safeTitle, options);
};
