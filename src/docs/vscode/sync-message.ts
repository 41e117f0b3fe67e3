import { AppError } from '../../base/errors.ts';
import { shortCommit } from '../../base/short-commit.ts';
import type { GitSyncReport, GitSyncWarning } from '../ports/git-roots.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';

/**
 * Formats the result of a sync for a notification: the served commit and the warnings, or the error.
 *
 * @param root its name, as the view shows it
 */
export function syncMessage(
  root: string,
  { status, before, after, error, warnings }: GitSyncReport,
  { t }: Localize,
): { readonly text: string; readonly isFailure: boolean } {
  if (error !== undefined) return { text: personSentence(named(error, root), { t }), isFailure: true };
  const short = (commit: string | null): string => shortCommit(commit ?? '');
  const outcome =
    status === 'up_to_date'
      ? t('Root {0} is up to date at {1}.', root, short(after))
      : before === null
        ? t('Root {0} is now at {1}.', root, short(after))
        : t('Root {0} moved from {1} to {2}.', root, short(before), short(after));
  return {
    text: [outcome, ...warnings.map(warning => asSentence(withPath(warning)))].join(' '),
    isFailure: false,
  };
}

/** The error with the name of the root, which agents know by its id. */
function named(error: AppError, root: string): AppError {
  if (!('root' in error.details)) return error;
  // The type of `root` stays the same.
  const details = { ...error.details, root } as unknown as AppError['details'];
  return new AppError(error.code, details, { cause: error.cause });
}

/** The message with the whole path of its folder. */
const withPath = ({ message, folder }: GitSyncWarning): string =>
  folder === undefined ? message : message.replace(folder.inCache, () => folder.path);

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
