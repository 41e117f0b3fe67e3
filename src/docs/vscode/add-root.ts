import * as vscode from 'vscode';
import { showOpenDialog } from '../../vscode/file-dialogs.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { freeId } from './root-id.ts';

/** An entry of the setting `atlas.docs.roots`. */
export interface RootSetting {
  readonly id: string;
  readonly kind: 'docs' | 'code' | 'harness';
  readonly path?: string;
  readonly gitUrl?: string;
  readonly gitRef?: string;
}

/** The answers of a caller, which replace the questions to the user. */
export type RootAnswers = Partial<Omit<RootSetting, 'id'>>;

/** `Atlas Bridge: Add Root…`: asks for a folder or a git repository and its use, and adds it to the setting. Returns the entry. */
export async function addRoot(given: RootAnswers): Promise<RootSetting | undefined> {
  const source = given.path !== undefined || given.gitUrl !== undefined ? given : await askForSource();
  const from = source?.path ?? source?.gitUrl;
  if (source === undefined || from === undefined) return undefined;
  const kind = given.kind ?? (await askForKind());
  if (kind === undefined) return undefined;
  const setting = vscode.workspace.getConfiguration('atlas');
  const roots = setting.inspect<readonly object[]>('docs.roots')?.globalValue ?? [];
  const { path, gitUrl, gitRef } = source;
  const entry: RootSetting = {
    id: freeId(from, roots),
    kind,
    ...(path === undefined ? {} : { path }),
    ...(gitUrl === undefined ? {} : { gitUrl }),
    ...(gitRef === undefined || gitRef === '' ? {} : { gitRef }),
  };
  await setting.update('docs.roots', [...roots, entry], vscode.ConfigurationTarget.Global);
  return entry;
}

async function askForSource(): Promise<RootAnswers | undefined> {
  const { l10n } = vscode;
  const title = l10n.t('Atlas Bridge: Add Root');
  const picked = await safeWindow.showQuickPick(
    [
      { label: l10n.t('Folder…'), detail: l10n.t('A folder on this computer'), isGit: false },
      {
        label: l10n.t('Git Repository…'),
        detail: l10n.t('A repository that is synced when you ask for it'),
        isGit: true,
      },
    ],
    { title },
  );
  if (picked === undefined) return undefined;
  if (!picked.isGit) {
    const chosen = await showOpenDialog({
      title,
      button: l10n.t('Add Root'),
      canSelectFiles: false,
      canSelectFolders: true,
    });
    return chosen?.[0] && { path: chosen[0].fsPath };
  }
  const gitUrl = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Enter the address of the repository.'),
    placeHolder: 'https://github.com/owner/name.git',
    ignoreFocusOut: true,
    validateInput: text =>
      isRepository(text) ? undefined : l10n.t('Enter an address such as https://github.com/owner/name.'),
  });
  if (gitUrl === undefined) return undefined;
  const gitRef = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Enter a branch, a tag or a commit, or nothing for the default branch.'),
    ignoreFocusOut: true,
  });
  return gitRef === undefined ? undefined : { gitUrl, gitRef };
}

async function askForKind(): Promise<RootSetting['kind'] | undefined> {
  const { l10n } = vscode;
  const kinds = [
    { value: 'docs', label: l10n.t('Documentation'), detail: l10n.t('Guides and references') },
    { value: 'code', label: l10n.t('Code'), detail: l10n.t('Source code to read and search') },
    { value: 'harness', label: l10n.t('Test Harness'), detail: l10n.t('Helpers and examples of tests') },
  ] as const;
  const picked = await safeWindow.showQuickPick(kinds, {
    title: l10n.t('Atlas Bridge: Add Root'),
    placeHolder: l10n.t('Choose what the root contains.'),
  });
  return picked?.value;
}

const isRepository = (text: string): boolean => /^(?:https?|ssh|git|file):\/\/\S+$|^[\w.-]+@[\w.-]+:\S+$/.test(text);
