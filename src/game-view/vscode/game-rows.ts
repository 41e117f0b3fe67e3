import { plural } from '../../base/plural.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import type { RowText } from '../../vscode/safe-window.ts';
import type { SyncState } from '../differences.ts';
import { type GameNode, parentInstanceOf, type RangeNode } from '../game-node.ts';
import type { GameTree } from '../game-tree.ts';
import type { PropertyRow } from '../property-rows.ts';

/** The word after the name of an instance. */
function stateWord(state: SyncState, { t }: Localize): string | undefined {
  const words: Readonly<Record<SyncState, string | undefined>> = {
    synced: t('synced'),
    differs: t('differs'),
    onlyInStudio: t('only in Studio'),
    onlyOnDisk: t('only on disk'),
    untracked: t('not synced'),
    unknown: undefined,
  };
  return words[state];
}

function explanation(state: SyncState, { t }: Localize): readonly string[] {
  const sentences: Readonly<Record<SyncState, string | undefined>> = {
    synced: t('The files and Studio are the same.'),
    differs: t('Different on disk and in Studio.'),
    onlyInStudio: t('Only in Studio: no file describes it yet.'),
    onlyOnDisk: t('Only on disk: Studio does not have it yet.'),
    untracked: t('No file describes it, and a sync does not change it.'),
    unknown: undefined,
  };
  const sentence = sentences[state];
  return sentence === undefined ? [] : [sentence];
}

/** The path of names from the top of the place. */
export function namesOf(node: GameNode): string {
  const names: string[] = [];
  for (let at: GameNode | undefined = node; at?.kind === 'instance'; at = parentInstanceOf(at)) names.unshift(at.name);
  return names.join('/');
}

export function rowText(
  node: GameNode,
  tree: Pick<GameTree, 'stateOf' | 'countBelow'>,
  file: string | undefined,
  l10n: Localize,
): RowText {
  if (node.kind === 'range') return rangeText(node, l10n);
  const { t } = l10n;
  const { name, className } = node;
  const state = tree.stateOf(node);
  const count = tree.countBelow(node);
  const below = count === 0 ? [] : [plural(count, t('1 difference inside'), t('{0} differences inside', count))];
  // The default width of the side bar has no room for more beside a service.
  const shortBelow = count === 0 ? [] : [plural(count, t('1 difference'), t('{0} differences', count))];
  const word = stateWord(state, l10n);
  // "synced" would be misleading if something inside differs.
  const own = word === undefined || (state === 'synced' && count > 0) ? [] : [word];
  return {
    label: name,
    description: [...(name === className ? [] : [className]), ...own, ...shortBelow].join(' · '),
    spoken: [className, ...own, ...below].join(', '),
    tooltip: [
      `${namesOf(node)} (${className})`,
      ...explanation(state, l10n),
      ...below,
      ...(file === undefined ? [] : [t('File: {0}', file)]),
    ],
  };
}

function rangeText({ from, to, instances }: RangeNode, { t }: Localize): RowText {
  const [first, last] = [instances[0]?.name ?? '', instances.at(-1)?.name ?? ''];
  return {
    label: t('{0} to {1}', from, to),
    description: `${first} … ${last}`,
    spoken: t('from {0} to {1}', first, last),
  };
}

export function propertyText({ name, value, type, onDisk, changeId }: PropertyRow, { t }: Localize): RowText {
  if (name === 'Source' && changeId !== undefined) {
    const differs = t('differs from the file');
    return { label: name, description: differs, tooltip: [name, differs] };
  }
  const shown = value === undefined ? t('too long to show') : value;
  if (onDisk === undefined)
    return { label: name, description: shown, tooltip: [`${name}${type === '' ? '' : ` (${type})`}`, shown] };
  const both = [t('{0} in Studio', shown), t('{0} on disk', onDisk)];
  return {
    label: name,
    description: both.join(' · '),
    spoken: [t('differs'), ...both].join(', '),
    tooltip: [`${name} (${type})`, ...both],
  };
}
