import { ifFound } from '../../../base/errno.ts';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitRoot, GitRootStatus } from '../../ports/git-roots.ts';
import { type CurrentCheckout, rootCacheNames } from '../../../protocol/root-cache.ts';
import type { GitPolicy } from '../../../protocol/roots.ts';
import { AppError } from '../../../base/errors.ts';
import { lockState } from '../../../adapters/node/lock-file.ts';
import {
  exists,
  readLastSync,
  rootFolders,
  type RootFolders,
  servedCheckout,
  syncLockOptions,
  treeOf,
} from './cache-folder.ts';
import { gitFailure } from './git-failure.ts';
import { checkGit } from './git-version.ts';
import type { GitTerms } from './hardened-git.ts';
import { commitOf, FETCHED, isAncestor, isRepositoryIntact } from './repository.ts';
import { isDirty } from './tree.ts';

/** Implements `GitRoots.status`: writes nothing and contacts no remote. */
export async function gitRootStatus(root: GitRoot, policy: GitPolicy, signal: AbortSignal): Promise<GitRootStatus> {
  signal.throwIfAborted();
  if (policy.cache === undefined)
    throw new AppError('CACHE_CORRUPT', { root: root.id, reason: 'no cache folder is configured' });
  await checkGit(signal);
  const folders = rootFolders(policy.cache, root);
  const served = await servedCheckout(folders, root, true);
  const checkout = await checkoutOf(folders, served);
  const repository: GitTerms = { gitDir: folders.repository, protocols: [], signal };
  // A modified git configuration could start programs.
  if (served !== undefined && (await exists(folders.repository)) && !(await isRepositoryIntact(folders.repository)))
    if (!(await isBeingSynced(folders, policy)))
      throw new AppError('CACHE_CORRUPT', { root: root.id, reason: 'its repository was modified or is incomplete' });
  const last = await readLastSync(folders);
  const relation = await relationOf(repository, root, served, last?.fetchedRef ?? null).catch(
    async (error: unknown) => {
      signal.throwIfAborted();
      // A sync may be replacing the repository.
      if (await isBeingSynced(folders, policy)) return 'unknown' as const;
      throw gitFailure(error, { root: root.id, ref: root.source.ref ?? 'default branch' }, policy.cache);
    },
  );
  const dirty = checkout === 'present' && served !== undefined && (await isDirty(repository, folders, served.commit));
  const facets = {
    checkout,
    worktree: checkout !== 'present' ? null : dirty ? ('dirty' as const) : ('clean' as const),
    head: served === undefined ? null : served.isDetached === true ? ('detached' as const) : served.kind,
    relation,
    lastAttempt: last === undefined ? null : { outcome: last.outcome, at: last.at },
    activity: await activityOf(folders, policy),
    commit: served?.commit ?? null,
    ref: served?.ref ?? null,
    lastSyncAt: served?.syncedAt ?? null,
    dirty,
  };
  return { ...facets, state: stateOf(facets) };
}

async function checkoutOf(
  folders: RootFolders,
  served: CurrentCheckout | undefined,
): Promise<GitRootStatus['checkout']> {
  if (served !== undefined) return (await exists(treeOf(folders, served.commit))) ? 'present' : 'missing';
  const rootFolder = dirname(folders.folder);
  for (const other of (await ifFound(readdir(rootFolder))) ?? [])
    if (await exists(join(rootFolder, other, rootCacheNames.current))) return 'source_changed';
  return 'never_synced';
}

async function relationOf(
  terms: GitTerms,
  root: GitRoot,
  served: CurrentCheckout | undefined,
  fetchedRef: string | null,
): Promise<GitRootStatus['relation']> {
  const { ref } = root.source;
  if (served === undefined || fetchedRef === null || served.isDetached === true) return 'unknown';
  const isOfRef =
    ref === undefined
      ? served.isDefault === true && served.ref === fetchedRef
      : [ref, `refs/heads/${ref}`, `refs/tags/${ref}`].includes(fetchedRef);
  const fetched = isOfRef ? await commitOf(terms, FETCHED) : undefined;
  if (fetched === undefined) return 'unknown';
  if (fetched === served.commit) return 'up_to_date';
  if ((await commitOf(terms, served.commit)) === undefined) return 'diverged';
  return (await isAncestor(terms, served.commit, fetched)) ? 'behind' : 'diverged';
}

async function activityOf(folders: RootFolders, policy: GitPolicy): Promise<GitRootStatus['activity']> {
  const lock = await lockState(folders.lock, syncLockOptions(policy));
  return lock.kind !== 'held' ? 'idle' : lock.isOurs ? 'syncing' : 'locked_elsewhere';
}
const isBeingSynced = async (folders: RootFolders, policy: GitPolicy): Promise<boolean> =>
  (await activityOf(folders, policy)) !== 'idle';

function stateOf(facets: Omit<GitRootStatus, 'state'>): GitRootStatus['state'] {
  const { checkout, activity, lastAttempt, relation, dirty, head } = facets;
  if (activity !== 'idle') return 'syncing';
  if (checkout !== 'present') return checkout;
  if (lastAttempt?.outcome === 'AUTH_FAILED') return 'auth_failed';
  if (lastAttempt?.outcome === 'OFFLINE') return 'offline';
  if (relation === 'diverged') return 'diverged';
  if (dirty) return 'dirty';
  if (head === 'detached') return 'detached';
  return relation === 'behind' ? 'behind' : 'clean';
}
