import { AppError } from '../../../base/errors.ts';
import type { GitRoot } from '../../ports/git-roots.ts';
import type { CurrentCheckout } from '../../../protocol/root-cache.ts';
import { type GitTerms, hardenedGit } from './hardened-git.ts';

export interface RemoteCommit {
  /** The full ref; the commit itself if it is pinned. */
  readonly ref: string;
  readonly kind: CurrentCheckout['kind'];
  readonly commit: string;
  /** Whether no ref is configured, so this is the remote's default branch. */
  readonly isDefault: boolean;
  /** Whether a branch and a tag have this name. */
  readonly isAmbiguous: boolean;
}

const isPinned = (ref: string | undefined): ref is string =>
  ref !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);

/**
 * Asks the remote for its commit, without writing. Without a configured ref, uses the remote's default branch at the first sync, and keeps
 * that branch from then on.
 *
 * @throws AppError REF_NOT_FOUND; Error with git's output
 */
export async function resolveRemoteCommit(
  terms: GitTerms,
  root: GitRoot,
  served: CurrentCheckout | undefined,
): Promise<RemoteCommit> {
  const { url, ref } = root.source;
  if (isPinned(ref)) {
    // Only checks that the remote can be reached. The fetch shows whether it has the commit.
    await hardenedGit(terms, ['ls-remote', '--', url, 'HEAD']);
    return { ref, kind: 'pinned', commit: ref, isDefault: false, isAmbiguous: false };
  }
  // A remote with a detached HEAD has no default branch, so there is no branch to keep.
  const recorded = served?.isDefault === true && served.ref !== 'HEAD' ? served.ref : undefined;
  const wanted = ref ?? recorded;
  const refs =
    wanted === undefined
      ? ['HEAD']
      : wanted.startsWith('refs/')
        ? [wanted, `${wanted}^{}`]
        : [`refs/heads/${wanted}`, `refs/tags/${wanted}`, `refs/tags/${wanted}^{}`];
  const output = await hardenedGit(terms, [
    'ls-remote',
    ...(wanted === undefined ? ['--symref'] : []),
    '--',
    url,
    ...refs,
  ]);
  const found = new Map<string, string>();
  let branch: string | undefined;
  for (const line of output.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (value.startsWith('ref: ') && name === 'HEAD') branch = value.slice(5);
    else if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) found.set(name, value);
  }
  const name = wanted === undefined ? (branch ?? 'HEAD') : refs.find(one => found.has(one));
  const commit =
    name === undefined ? undefined : (found.get(`${name}^{}`) ?? found.get(wanted === undefined ? 'HEAD' : name));
  if (name === undefined || commit === undefined)
    throw new AppError('REF_NOT_FOUND', { root: root.id, ref: wanted ?? 'default branch' });
  return {
    ref: name,
    kind: name.startsWith('refs/tags/') ? 'tag' : 'branch',
    commit,
    isDefault: ref === undefined,
    isAmbiguous: wanted !== undefined && refs.filter(one => !one.endsWith('^{}') && found.has(one)).length > 1,
  };
}
