import { plural } from '../../base/plural.ts';
import type { Localize } from '../../vscode/localization/localize.ts';

export interface SyncbackCounts {
  /** Files that were written. */
  readonly written: number;
  /** Files that were deleted. */
  readonly removed: number;
  /** Instances that could not be written. */
  readonly refused: number;
}

/** Says what a syncback did, without counts of nothing. */
export function syncbackText({ written, removed, refused }: SyncbackCounts, { t }: Localize): string {
  const files = (count: number): string => plural(count, t('1 file'), t('{0} files', count));
  const failed =
    refused === 0
      ? []
      : [plural(refused, t('1 instance could not be written.'), t('{0} instances could not be written.', refused))];
  if (written > 0 && removed > 0)
    return [t('Wrote {0} and deleted {1}.', files(written), files(removed)), ...failed].join(' ');
  if (written > 0) return [t('Wrote {0}.', files(written)), ...failed].join(' ');
  if (removed > 0) return [t('Deleted {0}.', files(removed)), ...failed].join(' ');
  return failed[0] ?? t('The project is already up to date.');
}
