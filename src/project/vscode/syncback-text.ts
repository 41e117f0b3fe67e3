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

/** The question before a syncback, and its verb for the button. */
export function syncbackQuestion(
  write: number,
  remove: number,
  { t }: Localize,
): { readonly question: string; readonly verb: string } {
  const count = (files: number): string => plural(files, t('1 file'), t('{0} files', files));
  if (remove === 0)
    return {
      question: plural(write, t('Write 1 file?'), t('Write {0} files?', write)),
      verb: plural(write, t('Write File'), t('Write Files')),
    };
  if (write === 0)
    return {
      question: plural(remove, t('Delete 1 file?'), t('Delete {0} files?', remove)),
      verb: plural(remove, t('Delete File'), t('Delete Files')),
    };
  return { question: t('Write {0} and delete {1}?', count(write), count(remove)), verb: t('Write and Delete') };
}
