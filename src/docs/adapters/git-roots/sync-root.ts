import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../../base/errors.ts';
import { shortCommit } from '../../../base/short-commit.ts';
import type { GitRoot, GitSyncReport, GitSyncRequest, GitSyncWarning } from '../../ports/git-roots.ts';
import { type CurrentCheckout, rootCacheNames } from '../../../protocol/root-cache.ts';
import type { GitPolicy } from '../../../protocol/roots.ts';
import {
  discard,
  indexOf,
  exists,
  putJson,
  type RootFolders,
  servedCheckout,
  removeLeftovers,
  treeOf,
} from './cache-folder.ts';
import { fetchCommit } from './fetch-commit.ts';
import { gitFailure } from './git-failure.ts';
import type { GitTerms } from './hardened-git.ts';
import type { RemoteCommit } from './remote-commit.ts';
import { commitOf, FETCHED, isAncestor, isRepositoryIntact, makeRepository } from './repository.ts';
import { checkSubdir, isDirty, makeTree } from './tree.ts';

/** How long a replaced tree is kept, because calls that started earlier may still read it. */
const GRACE_MS = 60_000;

/** The inputs of a sync, and its findings so far, which are reported even if it fails. */
export interface SyncWork {
  readonly root: GitRoot;
  readonly policy: GitPolicy;
  readonly folders: RootFolders;
  /** Runs git without network access. */
  readonly local: GitTerms;
  readonly network: GitTerms;
  readonly progress: (message: string) => void;
  readonly warnings: GitSyncWarning[];
  dirty: boolean;
  /** The full ref that was fetched. */
  fetchedRef: string | undefined;
}

interface Target {
  readonly commit: string;
  readonly ref: string;
  readonly kind: CurrentCheckout['kind'];
  readonly isDefault: boolean;
  readonly isDetached: boolean;
}
type SyncEnd = Pick<GitSyncReport, 'status' | 'after'>;

/** Runs the part of a sync that writes. The caller holds the lock. @throws AppError; Error with git's output */
export async function syncLocked(
  work: SyncWork,
  request: Exclude<GitSyncRequest, { mode: 'check' }>,
  remote: RemoteCommit | undefined,
): Promise<SyncEnd> {
  const { root, folders } = work;
  await removeLeftovers(folders);
  const served = await servedCheckout(folders, root, false);
  if (served !== undefined && (await exists(treeOf(folders, served.commit))))
    work.dirty = await isDirty(work.local, folders, served.commit);
  if (remote === undefined) {
    if (request.mode !== 'checkout') throw new Error('this mode requires the commit of the remote');
    const commit = await commitOf(work.local, request.commit);
    if (commit === undefined)
      throw new AppError('REF_NOT_FOUND', { root: root.id, ref: request.commit, isFetched: true });
    return moveTo(work, served, await checkoutTarget(work, served, commit));
  }
  if (request.mode === 'reset') checkExpected(root, request.expectedCommit, served);
  try {
    return await fetchAndMove(work, request.mode, remote, served);
  } catch (error) {
    const failure = failureOf(work, error);
    if (failure.code === 'SYNC_TOO_LARGE')
      await makeRepository(folders.repository, remote.commit.length, work.local.signal);
    if (failure.code !== 'CACHE_CORRUPT') throw failure;
  }
  await rebuild(work, remote);
  return fetchAndMove(work, request.mode, remote, served);
}

export function checkExpected(root: GitRoot, expected: string, served: CurrentCheckout | undefined): void {
  const actual = served?.commit ?? 'no commit';
  if (actual !== expected) throw new AppError('EXPECTED_COMMIT_MISMATCH', { root: root.id, expected, actual });
}

function failureOf(work: SyncWork, error: unknown): AppError {
  work.local.signal.throwIfAborted();
  return gitFailure(error, { root: work.root.id, ref: work.root.source.ref ?? 'default branch' }, work.policy.cache);
}

async function rebuild(work: SyncWork, remote: RemoteCommit): Promise<void> {
  work.warnings.push({
    code: 'CACHE_REBUILT',
    message: 'the repository in the cache was damaged and has been rebuilt',
  });
  await makeRepository(work.folders.repository, remote.commit.length, work.local.signal);
}

async function fetchAndMove(
  work: SyncWork,
  mode: GitSyncRequest['mode'],
  remote: RemoteCommit,
  served: CurrentCheckout | undefined,
): Promise<SyncEnd> {
  const { root, folders, local, policy } = work;
  if (!(await exists(folders.repository))) await makeRepository(folders.repository, remote.commit.length, local.signal);
  else if (!(await isRepositoryIntact(folders.repository, remote.commit.length))) await rebuild(work, remote);
  work.progress(`fetching ${remote.ref}`);
  const commit = await fetchCommit(work.network, root, policy, remote, served === undefined || mode === 'reset');
  work.fetchedRef = remote.ref;
  if (mode === 'fetch') return { status: 'fetched', after: served?.commit ?? null };
  if (mode === 'update' && served !== undefined && served.commit !== commit) {
    const hasServed = (await commitOf(local, served.commit)) !== undefined;
    if (!hasServed || !(await isAncestor(local, served.commit, commit)))
      throw new AppError('DIVERGED', { root: root.id, before: served.commit, remote: commit });
  }
  const { ref, kind, isDefault } = remote;
  return moveTo(work, served, { commit, ref, kind, isDefault, isDetached: false });
}

/** Returns the target of mode checkout. It is detached unless it is in the history of the fetched ref. */
async function checkoutTarget(work: SyncWork, served: CurrentCheckout | undefined, commit: string): Promise<Target> {
  const fetched = await commitOf(work.local, FETCHED);
  const isOnFetched = fetched !== undefined && (await isAncestor(work.local, commit, fetched));
  return {
    commit,
    ref: served?.ref ?? commit,
    kind: served?.kind ?? 'pinned',
    isDefault: served?.isDefault ?? false,
    isDetached: !isOnFetched,
  };
}

/** Prepares the tree, then replaces `current.json`. The old commit is served until then, and nothing can fail after it. */
async function moveTo(work: SyncWork, served: CurrentCheckout | undefined, target: Target): Promise<SyncEnd> {
  const { folders, local, root } = work;
  const tree = treeOf(folders, target.commit);
  const isServed = served?.commit === target.commit;
  let isCreated = false;
  if ((await exists(tree)) && !isServed && (await isDirty(local, folders, target.commit)))
    await setAside(work, target.commit);
  if (await exists(tree)) {
    if (!isServed) await checkSubdir(tree, root);
  } else {
    work.progress(`writing the files of ${shortCommit(target.commit)}`);
    work.warnings.push(...(await makeTree(local, folders, root, work.policy, target.commit)));
    isCreated = true;
  }
  if (work.dirty && served !== undefined)
    work.warnings.push(dirtyWarning(work, isServed, served.commit, treeOf(folders, served.commit)));
  if (isServed && isSame(served, target)) return { status: isCreated ? 'updated' : 'up_to_date', after: target.commit };
  local.signal.throwIfAborted();
  work.progress('switching');
  const { commit, ref, kind, isDefault, isDetached } = target;
  const next: CurrentCheckout = {
    commit,
    ref,
    kind,
    syncedAt: new Date().toISOString(),
    seq: (served?.seq ?? 0) + 1,
    isDefault,
    isDetached,
  };
  await putJson(folders.current, next);
  work.progress('switched');
  await removeOldTrees(work, served, commit);
  if (isServed) return { status: isCreated ? 'updated' : 'up_to_date', after: commit };
  return { status: served === undefined ? 'initialised' : 'updated', after: commit };
}

const isSame = (served: CurrentCheckout, target: Target): boolean =>
  served.ref === target.ref &&
  served.kind === target.kind &&
  (served.isDefault ?? false) === target.isDefault &&
  (served.isDetached ?? false) === target.isDetached;

/** @param tree absolute path of the changed files */
function dirtyWarning({ folders, root }: SyncWork, isServed: boolean, commit: string, tree: string) {
  const inCache = [rootCacheNames.rootFolder(root.id), basename(folders.folder), rootCacheNames.trees, basename(tree)];
  const folder = { inCache: join(...inCache), path: tree };
  const where = `files of ${shortCommit(commit)} in ${folder.inCache} were changed locally`;
  return isServed
    ? {
        code: 'DIRTY_TREE_SERVED',
        message: `${where} and are served with these changes; delete the folder and sync to restore them`,
        folder,
      }
    : { code: 'DIRTY_TREE_KEPT', message: `${where}; the folder stays in the cache`, folder };
}

/** Renames a tree with local changes that is not served, to make room for a clean one. */
async function setAside(work: SyncWork, commit: string): Promise<void> {
  const { folders } = work;
  const names = new Set(await readdir(folders.trees));
  let number = 1;
  while (names.has(`${commit}.dirty-${number}`)) number += 1;
  const aside = join(folders.trees, `${commit}.dirty-${number}`);
  await rename(treeOf(folders, commit), aside);
  work.warnings.push(dirtyWarning(work, false, commit, aside));
}

async function removeOldTrees(work: SyncWork, before: CurrentCheckout | undefined, commit: string): Promise<void> {
  const { folders, local } = work;
  if (before === undefined || Date.now() - Date.parse(before.syncedAt) < GRACE_MS) return;
  try {
    for (const name of await readdir(folders.trees)) {
      const isOld = /^[0-9a-f]+$/.test(name) && name !== commit && name !== before.commit;
      if (!isOld || (await isDirty(local, folders, name))) continue;
      await discard(treeOf(folders, name));
      await rm(indexOf(folders, name), { force: true });
    }
  } catch {
    // The sync itself has succeeded; the next sync tries again.
    work.warnings.push({ code: 'OLD_TREES_LEFT', message: 'old files could not be removed from the cache' });
  }
}
