import type { ReviewRow, ReviewStatus } from '../../protocol/review.ts';
import { editorCommandIds } from '../../vscode/command-ids.ts';
import type { Localize } from '../../vscode/localization/localize.ts';

/** The labels of the two sides in VS Code's editors. A pull keeps the left side, a push keeps the right side. */
export interface SideLabels {
  readonly left: string;
  readonly right: string;
  /** The title of a diff. */
  tab(name: string): string;
  /** File extension, which selects the language of the texts. */
  readonly extension: string;
  readonly acceptAllLeft: string;
  readonly acceptAllRight: string;
  readonly acceptLeft: string;
  readonly acceptRight: string;
  agentAsks(direction: NonNullable<ReviewRow['override']>['direction']): string;
  readonly noBase: string;
  readonly commands: {
    readonly left: string;
    readonly right: string;
    readonly leftHere: string;
    readonly rightHere: string;
  };
}

export function sideLabels(
  { sides, restore }: Pick<ReviewStatus, 'sides' | 'restore'>,
  localize: Localize,
): SideLabels {
  const { t } = localize;
  if (restore !== undefined) {
    const now = restore === 'disk' ? t('Disk now') : t('Studio now');
    const before = t('Before the sync');
    return {
      ...sideLabels({ sides }, localize),
      left: restore === 'disk' ? before : now,
      right: restore === 'disk' ? now : before,
      tab: name =>
        restore === 'disk'
          ? t('{0} (before the sync ↔ disk now)', name)
          : t('{0} (Studio now ↔ before the sync)', name),
      acceptAllLeft: t('Restore'),
      acceptAllRight: t('Restore'),
    };
  }
  if (sides === 'pluto')
    return {
      left: '.pluto',
      right: '.pt',
      tab: name => t('{0} (.pluto ↔ .pt)', name),
      extension: 'pt',
      acceptAllLeft: t('Accept All of .pluto'),
      acceptAllRight: t('Accept All of .pt'),
      acceptLeft: t('Accept .pluto'),
      acceptRight: t('Accept .pt'),
      agentAsks: direction =>
        direction === 'push'
          ? t('$(sparkle) Agent asks to use the .pt file: Accept')
          : t('$(sparkle) Agent asks to use the .pluto file: Accept'),
      noBase: t(
        'No common version is known for this file. Decide each part with Accept .pt Here or Accept .pluto Here.',
      ),
      commands: {
        left: editorCommandIds.acceptPluto,
        right: editorCommandIds.acceptPt,
        leftHere: editorCommandIds.acceptPlutoHere,
        rightHere: editorCommandIds.acceptPtHere,
      },
    };
  return {
    left: 'Studio',
    right: 'Disk',
    tab: name => t('{0} (Studio ↔ disk)', name),
    extension: 'luau',
    acceptAllLeft: t('Accept All of Studio'),
    acceptAllRight: t('Accept All of Disk'),
    acceptLeft: t('Accept Studio'),
    acceptRight: t('Accept Disk'),
    agentAsks: direction =>
      direction === 'push' ? t('$(sparkle) Agent asks to push: Accept') : t('$(sparkle) Agent asks to pull: Accept'),
    noBase: t(
      'No common version is known for this script. Decide each part with Accept Disk Here or Accept Studio Here.',
    ),
    commands: {
      left: editorCommandIds.acceptStudio,
      right: editorCommandIds.acceptDisk,
      leftHere: editorCommandIds.acceptStudioHere,
      rightHere: editorCommandIds.acceptDiskHere,
    },
  };
}
