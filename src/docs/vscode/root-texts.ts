import { withoutSecrets } from '../../base/url-secrets.ts';
import { shortCommit } from '../../base/short-commit.ts';
import { formatSentence } from '../../base/sentence.ts';
import type { RootProblem } from '../../base/retrieval-errors.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import type { RootRow, RootState } from './root-rows.ts';

/** The texts of an item of the view, independent of VS Code. */
export interface RootText {
  readonly label: string;
  readonly description: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  /** A codicon; `color` is a theme color. */
  readonly icon: { readonly id: string; readonly color?: string };
  /** The context value for menus: `root.local`, `root.git` or `problem`. */
  readonly context: string;
}

const icons: Readonly<Record<RootState, RootText['icon']>> = {
  local: { id: 'folder' },
  synced: { id: 'repo' },
  dirty: { id: 'edit', color: 'list.warningForeground' },
  behind: { id: 'arrow-down', color: 'list.warningForeground' },
  neverSynced: { id: 'cloud-download', color: 'list.warningForeground' },
  syncing: { id: 'sync~spin' },
  error: { id: 'error', color: 'list.errorForeground' },
};

/** The name of a root, as people see it. */
export const rootName = ({ id, title }: RootRow['root']['definition']): string => title ?? id;

export function rootText({ root, state, git, reason }: RootRow, { t }: Localize): RootText {
  const { id, title, source } = root.definition;
  const words: Readonly<Record<RootState, string>> = {
    local: t('local'),
    synced: git?.state === 'detached' ? t('synced at a pinned commit') : t('synced'),
    dirty: t('modified'),
    behind: t('behind'),
    neverSynced: t('never synced'),
    syncing: t('syncing'),
    error: reason === undefined ? t('error') : t('error: {0}', formatSentence(reason, t)),
  };
  const commit = git?.commit == null ? undefined : shortCommit(git.commit);
  const from =
    source.kind === 'git' ? [t('Repository: {0}', withoutSecrets(source.url))] : [t('Folder: {0}', source.path)];
  return {
    label: rootName(root.definition),
    description: [
      words[state],
      ...(commit === undefined ? [] : [commit]),
      ...(title === undefined || title === id ? [] : [id]),
    ].join(' · '),
    tooltip: [
      t('Root {0}: {1}', rootName(root.definition), words[state]),
      ...from,
      ...(root.definition.subdir === '' ? [] : [t('Subfolder: {0}', root.definition.subdir)]),
      ...(git?.ref == null ? [] : [t('Ref: {0}', shortCommit(git.ref))]),
      ...(git?.lastSyncAt == null ? [] : [t('Synced: {0}', git.lastSyncAt)]),
      ...(state === 'dirty'
        ? [t('Files in the cache were modified. Searches use the modified files, and a sync keeps them.')]
        : []),
    ],
    icon: icons[state],
    context: `root.${source.kind}`,
  };
}

export function problemText({ variable, message, root }: RootProblem, { t }: Localize): RootText {
  // The setting fills the variables of a root, so a person may never have seen their names.
  const label = root !== undefined && variable.startsWith('ROOT_') ? root : variable;
  return {
    label,
    description: message,
    tooltip: [
      `${label} ${message}`,
      t('Fix it in the setting atlas.docs.roots, or in the environment variable {0}.', variable),
    ],
    icon: { id: 'warning', color: 'list.warningForeground' },
    context: 'problem',
  };
}
