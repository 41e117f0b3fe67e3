import type { GitSyncReport } from '../ports/git-roots.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';

/** Formats the result of a sync for a notification: the served commit and the warnings, or the error. */
export function syncMessage(
  root: string,
  { status, before, after, error, warnings }: GitSyncReport,
  { t }: Localize,
): { readonly text: string; readonly isFailure: boolean } {
  if (error !== undefined) return { text: personSentence(error, { t }), isFailure: true };
  const short = (commit: string | null): string => commit?.slice(0, 8) ?? '';
  const said =
    status === 'up_to_date'
      ? t('Root {0} is up to date at {1}.', root, short(after))
      : before === null
        ? t('Root {0} is now at {1}.', root, short(after))
        : t('Root {0} moved from {1} to {2}.', root, short(before), short(after));
  return {
    text: [said, ...warnings.map(({ message }) => asSentence(message))].join(' '),
    isFailure: false,
  };
}

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
