import { AppError } from '../../../base/errors.ts';
import type { GitRoot, GitRoots, GitSyncReport, GitSyncRequest } from '../../ports/git-roots.ts';
import type { GitPolicy } from '../../../protocol/roots.ts';
import { tryLock } from '../../../adapters/node/lock-file.ts';
import {
  exists,
  readLastSync,
  type LastSync,
  lockHolder,
  makeFolders,
  putJson,
  rootFolders,
  servedCheckout,
  syncLockOptions,
} from './cache-folder.ts';
import { gitFailure } from './git-failure.ts';
import { gitRootStatus } from './git-root-status.ts';
import { checkGit } from './git-version.ts';
import { type GitTerms, networkConfig } from './hardened-git.ts';
import { resolveRemoteCommit, type RemoteCommit } from './remote-commit.ts';
import { checkExpected, syncLocked, type SyncWork } from './sync-root.ts';

/** Git roots in a local cache folder; uses the git on the PATH. */
export const nodeGitRoots: GitRoots = { status: gitRootStatus, sync };

const refusals: ReadonlySet<string> = new Set(['DIVERGED', 'EXPECTED_COMMIT_MISMATCH', 'SYNC_LOCKED']);

/** The contents of the report, collected while a sync runs. */
interface Findings {
  before: string | null;
  remote: RemoteCommit | undefined;
  network: boolean;
  work: SyncWork | undefined;
}

async function sync(
  root: GitRoot,
  policy: GitPolicy,
  request: GitSyncRequest,
  progress: (message: string) => void,
  signal: AbortSignal,
): Promise<GitSyncReport> {
  signal.throwIfAborted();
  const startedAt = new Date().toISOString();
  const timeout = AbortSignal.timeout(policy.timeoutMs);
  const found: Findings = { before: null, remote: undefined, network: false, work: undefined };
  const report = (status: GitSyncReport['status'], after: string | null, error?: AppError): GitSyncReport => ({
    status,
    before: found.before,
    after,
    remote: found.remote?.commit ?? null,
    ref: found.remote?.ref ?? null,
    dirty: found.work?.dirty ?? false,
    startedAt,
    finishedAt: new Date().toISOString(),
    network: found.network,
    warnings: found.work?.warnings ?? [],
    error,
  });
  try {
    const done = await attempt(root, policy, request, progress, AbortSignal.any([signal, timeout]), found);
    return report(done.status, done.after);
  } catch (error) {
    signal.throwIfAborted();
    const failure = timeout.aborted
      ? new AppError('SYNC_TIMEOUT', { root: root.id, budgetMs: policy.timeoutMs })
      : gitFailure(error, { root: root.id, ref: root.source.ref ?? 'default branch' }, policy.cache);
    if (request.mode !== 'check') await recordFailure(root, policy, found, failure);
    return report(refusals.has(failure.code) ? 'refused' : 'failed', found.before, failure);
  }
}

async function attempt(
  root: GitRoot,
  policy: GitPolicy,
  request: GitSyncRequest,
  progress: (message: string) => void,
  signal: AbortSignal,
  found: Findings,
): Promise<Pick<GitSyncReport, 'status' | 'after'>> {
  const { cache } = policy;
  if (cache === undefined)
    throw new AppError('CACHE_CORRUPT', { root: root.id, reason: 'no cache folder is configured' });
  const paths = rootFolders(cache, root);
  let served = await servedCheckout(paths, root, false);
  found.before = served?.commit ?? null;
  if (request.mode !== 'checkout' && policy.offline)
    throw new AppError('OFFLINE', { root: root.id, cause: 'WORKSPACE_DOCS_OFFLINE is 1' });
  if (request.mode === 'reset') checkExpected(root, request.expectedCommit, served);
  await checkGit(signal);
  const local: GitTerms = { gitDir: paths.repository, protocols: [], signal, config: ['fetch.unpackLimit=1'] };
  const network: GitTerms = {
    ...local,
    protocols: policy.protocols,
    config: [...(local.config ?? []), ...(request.mode === 'checkout' ? [] : await networkConfig(signal))],
  };
  if (request.mode !== 'checkout') {
    progress('contacting the remote');
    found.network = true;
    // A path without a repository, so that no local repository configuration applies.
    found.remote = await resolveRemoteCommit({ ...network, gitDir: `${paths.repository}.none` }, root, served);
  }
  if (request.mode === 'check') return { status: 'checked', after: found.before };

  progress('taking the lock');
  const folders = await makeFolders(cache, root);
  const lock = await tryLock(folders.lock, {}, syncLockOptions(policy));
  if (lock.kind === 'held') throw new AppError('SYNC_LOCKED', { root: root.id, holder: lockHolder(lock) });
  await using _held = lock;
  served = await servedCheckout(folders, root, false);
  found.before = served?.commit ?? null;
  const within = { gitDir: folders.repository };
  const work: SyncWork = {
    root,
    policy,
    folders,
    local: { ...local, ...within },
    network: { ...network, ...within },
    progress,
    warnings: warningsAtStart(lock.isTakenOver, found.remote),
    dirty: false,
    fetchedRef: undefined,
  };
  found.work = work;
  const done = await syncLocked(work, request, found.remote);
  const before = await readLastSync(folders);
  await putJson(folders.lastSync, {
    outcome: 'ok',
    at: new Date().toISOString(),
    fetchedRef: work.fetchedRef ?? before?.fetchedRef ?? null,
  } satisfies LastSync).catch(() =>
    work.warnings.push({ code: 'NOT_RECORDED', message: 'last-sync.json was not written' }),
  );
  return done;
}

function warningsAtStart(isTakenOver: boolean, remote: RemoteCommit | undefined): SyncWork['warnings'] {
  return [
    ...(isTakenOver ? [{ code: 'LOCK_TAKEN_OVER', message: 'the previous sync was interrupted' }] : []),
    ...(remote?.isAmbiguous === true
      ? [{ code: 'REF_AMBIGUOUS', message: `the name matches a branch and a tag; ${remote.ref} was used` }]
      : []),
  ];
}

/** Records the failure in `last-sync.json`, except in offline mode, while another sync runs, or if the root has no cache folder yet. */
async function recordFailure(root: GitRoot, policy: GitPolicy, found: Findings, failure: AppError): Promise<void> {
  if (policy.cache === undefined || policy.offline || failure.code === 'SYNC_LOCKED') return;
  const folders = rootFolders(policy.cache, root);
  try {
    if (!(await exists(folders.folder))) return;
    const before = await readLastSync(folders);
    const record: LastSync = {
      outcome: failure.code,
      at: new Date().toISOString(),
      fetchedRef: found.work?.fetchedRef ?? before?.fetchedRef ?? null,
    };
    await putJson(folders.lastSync, record);
  } catch {
    // The report contains the failure of the sync, which matters more than this record.
  }
}
