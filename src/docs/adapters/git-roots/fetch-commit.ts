import { AppError } from '../../../base/errors.ts';
import type { GitRoot } from '../../ports/git-roots.ts';
import type { GitPolicy } from '../../../protocol/roots.ts';
import { type GitTerms, hardenedGit } from './hardened-git.ts';
import type { RemoteCommit } from './remote-commit.ts';
import { commitOf, FETCHED, packedBytes } from './repository.ts';

const SIZE_CHECK_INTERVAL_MS = 200;

/**
 * Fetches the commit of the remote, without its history if possible.
 *
 * @param isShallow whether the history is not needed
 * @returns the fetched commit, which may be newer than `remote.commit`
 * @throws AppError SYNC_TOO_LARGE, REF_NOT_FOUND; Error with git's output
 */
export async function fetchCommit(
  terms: GitTerms,
  root: GitRoot,
  policy: GitPolicy,
  remote: RemoteCommit,
  isShallow: boolean,
): Promise<string> {
  const maxBytes = policy.maxMb * 1024 * 1024;
  const before = await packedBytes(terms.gitDir);
  const tooLarge = new AbortController();
  const isTooLarge = async (): Promise<boolean> => (await packedBytes(terms.gitDir)) - before > maxBytes;
  const checking = setInterval(() => {
    void isTooLarge().then(
      found => found && tooLarge.abort(new AppError('SYNC_TOO_LARGE', { root: root.id, limitMb: policy.maxMb })),
      (error: unknown) => tooLarge.abort(error),
    );
  }, SIZE_CHECK_INTERVAL_MS);
  const limited = { ...terms, signal: AbortSignal.any([terms.signal, tooLarge.signal]) };
  try {
    await fetchEither(limited, root.source.url, remote, isShallow);
  } finally {
    clearInterval(checking);
  }
  if (await isTooLarge()) throw new AppError('SYNC_TOO_LARGE', { root: root.id, limitMb: policy.maxMb });
  const commit = await commitOf(terms, FETCHED);
  if (commit === undefined || (remote.kind === 'pinned' && commit !== remote.commit))
    throw new AppError('REF_NOT_FOUND', { root: root.id, ref: remote.ref });
  return commit;
}

/** Fetches the ref, or all branches and tags if the server cannot send a commit by its id. */
async function fetchEither(terms: GitTerms, url: string, remote: RemoteCommit, isShallow: boolean): Promise<void> {
  const fetchRefs = (isWithoutHistory: boolean, ...refspecs: readonly string[]): Promise<string> =>
    hardenedGit(terms, [
      'fetch',
      '--quiet',
      '--force',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      ...(isWithoutHistory ? ['--depth=1'] : []),
      '--',
      url,
      ...refspecs,
    ]);
  const wanted = `+${remote.ref}:${FETCHED}`;
  try {
    await fetchRefs(isShallow, wanted);
    return;
  } catch (error) {
    terms.signal.throwIfAborted();
    // A plain file server (dumb http) can only send the whole history.
    if (isShallow && error instanceof Error && /does not support shallow|dumb http/i.test(error.message)) {
      await fetchEither(terms, url, remote, false);
      return;
    }
    if (remote.kind !== 'pinned') throw error;
  }
  // An old server or a plain file server cannot send a commit by id: fetch all branches and tags.
  await fetchRefs(false, '+refs/heads/*:refs/atlas/heads/*', '+refs/tags/*:refs/atlas/tags/*');
  if ((await commitOf(terms, remote.commit)) !== undefined)
    await hardenedGit(terms, ['update-ref', '--', FETCHED, remote.commit]);
}
