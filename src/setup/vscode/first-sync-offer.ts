import { plural } from '../../base/plural.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import type { WindowPendingChanges } from '../../vscode/pending-changes.ts';

type PendingState = ReturnType<WindowPendingChanges['state']>;
type PendingChange = PendingState['changes'][number];

/** The notice of the first differences of a project. VS Code keeps it in its list, so it says what was found then. */
export interface FirstSyncOffer {
  readonly text: string;
  /** The button that pushes the changes; absent if a push would replace something in Studio. */
  readonly push: string | undefined;
}

export function firstSyncOffer(changes: readonly PendingChange[], place: string, { t }: Localize): FirstSyncOffer {
  const count = changes.length;
  if (changes.some(({ patchType }) => patchType !== 'Add'))
    return {
      text: plural(
        count,
        t('{0} is connected. 1 difference was found.', place),
        t('{0} is connected. {1} differences were found.', place, count),
      ),
      push: undefined,
    };
  return {
    text: plural(
      count,
      t('{0} is connected. 1 instance was found only on disk: a push replaces nothing in Studio.', place),
      t('{0} is connected. {1} instances were found only on disk: a push replaces nothing in Studio.', place, count),
    ),
    push: plural(count, t('Push 1 Change'), t('Push {0} Changes', count)),
  };
}

/** Whether the offered changes are still all that differs, and only on disk. */
export function isCurrentOffer(offered: readonly PendingChange[], now: PendingState): boolean {
  const ids = new Set(now.changes.flatMap(({ id, patchType }) => (patchType === 'Add' ? [id] : [])));
  return now.kind === 'compared' && now.changes.length === offered.length && offered.every(({ id }) => ids.has(id));
}
