import { AppError } from '../../../base/errors.ts';
import type { GitRoot } from '../../ports/git-roots.ts';
import type { GitPolicy } from '../../../protocol/roots.ts';
import { type GitTerms, hardenedGit } from './hardened-git.ts';
import type { RemoteCommit } from './remote-commit.ts';
import { commitOf, FETCHED, packedBytes } from './repository.ts';

const LOOK_EVERY_MS = 200;

/**
 * Brings the commit of the remote into the repository, and nothing of the history before it where that is possible.
 *
 * @param isShallow whether nobody needs to know what came before
 * @returns the commit; the remote may have moved on since it was asked
 * @throws AppError SYNC_TOO_LARGE, REF_NOT_FOUND; Error with git's words
 */
export async function fetchCommit(
  terms: GitTerms,
  root: GitRoot,
  policy: GitPolicy,
  remote: RemoteCommit,
  isShallow: boolean,
): Promise<string> {
  const most = policy.maxMb * 1024 * 1024;
  const before = await packedBytes(terms.gitDir);
  const tooLarge = new AbortController();
  const isTooLarge = async (): Promise<boolean> => (await packedBytes(terms.gitDir)) - before > most;
  const looking = setInterval(() => {
    void isTooLarge().then(
      found => found && tooLarge.abort(new AppError('SYNC_TOO_LARGE', { root: root.id, limitMb: policy.maxMb })),
      (error: unknown) => tooLarge.abort(error),
    );
  }, LOOK_EVERY_MS);
  const limited = { ...terms, signal: AbortSignal.any([terms.signal, tooLarge.signal]) };
  try {
    await fetchEither(limited, root.source.url, remote, isShallow);
  } finally {
    clearInterval(looking);
  }
  if (await isTooLarge()) throw new AppError('SYNC_TOO_LARGE', { root: root.id, limitMb: policy.maxMb });
  const commit = await commitOf(terms, FETCHED);
  if (commit === undefined || (remote.kind === 'pinned' && commit !== remote.commit))
    throw new AppError('REF_NOT_FOUND', { root: root.id, ref: remote.ref });
  return commit;
}

async function fetchEither(terms: GitTerms, url: string, remote: RemoteCommit, isShallow: boolean): Promise<void> {
  const fetchAs = (isCut: boolean, ...refspecs: readonly string[]): Promise<string> =>
    hardenedGit(terms, [
      'fetch',
      '--quiet',
      '--force',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      ...(isCut ? ['--depth=1'] : []),
      '--',
      url,
      ...refspecs,
    ]);
  const wanted = `+${remote.ref}:${FETCHED}`;
  try {
    await fetchAs(isShallow, wanted);
    return;
  } catch (error) {
    terms.signal.throwIfAborted();
    // A plain file server gives whole histories only.
    if (isShallow && error instanceof Error && /does not support shallow|dumb http/i.test(error.message)) {
      await fetchEither(terms, url, remote, false);
      return;
    }
    if (remote.kind !== 'pinned') throw error;
  }
  // An old server, or a plain file server, gives no commit that is not at the end of a branch or a tag.
  await fetchAs(false, '+refs/heads/*:refs/atlas/heads/*', '+refs/tags/*:refs/atlas/tags/*');
  if ((await commitOf(terms, remote.commit)) !== undefined)
    await hardenedGit(terms, ['update-ref', '--', FETCHED, remote.commit]);
}
