import { hasErrorCode, ifFound } from '../../../base/errno.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../base/errors.ts';
import type { GitRoot } from '../../ports/git-roots.ts';
import { type CurrentCheckout, rootCacheNames } from '../../../protocol/root-cache.ts';
import type { LockedBy, LockOptions } from '../../../adapters/node/lock-file.ts';
import type { GitPolicy } from '../../../protocol/roots.ts';
import { removeFolder } from '../../../adapters/node/remove-folder.ts';
import { putFlushed } from '../../../adapters/node/flushed-files.ts';
import { readCurrent, urlKey } from '../files/node-root-checkouts.ts';

/** The cache paths of one root and URL; absolute. */
export interface RootFolders {
  readonly folder: string;
  readonly repository: string;
  readonly trees: string;
  readonly current: string;
  readonly lastSync: string;
  readonly lock: string;
}

/** The content of `last-sync.json`: the last attempt, for `status`. */
export const LastSync = z.object({
  outcome: z.string(),
  at: z.string(),
  /** The full ref that was fetched to `refs/atlas/fetched`; null: nothing was fetched. */
  fetchedRef: z.string().nullable(),
});
export type LastSync = z.infer<typeof LastSync>;

export function rootFolders(cache: string, root: GitRoot): RootFolders {
  const folder = join(cache, rootCacheNames.rootFolder(root.id), urlKey(root.source.url));
  return {
    folder,
    repository: join(folder, rootCacheNames.repository),
    trees: join(folder, rootCacheNames.trees),
    current: join(folder, rootCacheNames.current),
    lastSync: join(folder, rootCacheNames.lastSync),
    lock: join(folder, rootCacheNames.lock),
  };
}

/** A process on another machine cannot be checked, so its lock becomes stale after twice the time limit of a sync. */
export const syncLockOptions = (policy: GitPolicy): LockOptions => ({ staleAfterMs: policy.timeoutMs * 2 });

export const lockHolder = ({ content: { pid, host }, isOurs }: LockedBy): string => {
  if (isOurs) return 'this process';
  return `process ${pid} on ${host === undefined || host === hostname() ? 'this machine' : host}`;
};

export const indexOf = (folders: RootFolders, commit: string): string => join(folders.trees, `${commit}.index`);
export const treeOf = (folders: RootFolders, commit: string): string => join(folders.trees, commit);

/** Creates the folders of a root, and checks that no link in the path leaves the cache. @throws AppError CACHE_CORRUPT */
export async function makeFolders(cache: string, root: GitRoot): Promise<RootFolders> {
  const fail = (reason: string): AppError => new AppError('CACHE_CORRUPT', { root: root.id, reason });
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const real = await realpath(cache);
  const owner = (await lstat(real)).uid;
  if (process.getuid !== undefined && owner !== process.getuid()) throw fail('its folder belongs to another user');
  await checkLayout(real, fail);
  const folders = rootFolders(real, root);
  for (const path of [join(real, rootCacheNames.rootFolder(root.id)), folders.folder, folders.trees]) {
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    });
    if (!(await lstat(path)).isDirectory()) throw fail('its folder was replaced by a link or a file');
  }
  return folders;
}

async function checkLayout(cache: string, fail: (reason: string) => AppError): Promise<void> {
  const path = join(cache, rootCacheNames.layout);
  const text = await ifFound(readFile(path, 'utf8'));
  if (text === undefined) await putJson(path, { layout: 1 });
  else if (!/^\{"layout":1\}\s*$/.test(text)) throw fail('it was created by another version of Atlas Bridge');
}

/** Replaces a JSON file atomically. */
export async function putJson(path: string, value: object): Promise<void> {
  await putFlushed(path, temporaryPath(path), new TextEncoder().encode(JSON.stringify(value)));
}

/** Reads `current.json`. @throws AppError CACHE_CORRUPT if the file is invalid and `isStrict` is set */
export async function servedCheckout(
  folders: RootFolders,
  root: GitRoot,
  isStrict: boolean,
): Promise<CurrentCheckout | undefined> {
  const current = await readCurrent(folders.current);
  if (current === undefined && isStrict && (await exists(folders.current)))
    throw new AppError('CACHE_CORRUPT', { root: root.id, reason: 'current.json cannot be read' });
  return current;
}

/** Reads `last-sync.json`; `undefined` if it is missing or damaged. */
export async function readLastSync(folders: RootFolders): Promise<LastSync | undefined> {
  // A damaged record is treated as missing; the next sync writes a new one.
  return LastSync.safeParse(parseJson((await ifFound(readFile(folders.lastSync, 'utf8'))) ?? '')).data;
}

export const exists = async (path: string): Promise<boolean> => (await ifFound(lstat(path))) !== undefined;

/** Returns a temporary name next to `path`. A later sync removes it if this process is killed. */
export const temporaryPath = (path: string): string => `${path}.new-${randomBytes(8).toString('hex')}`;

const isLeftover = (name: string): boolean => /\.(?:new|old)-[0-9a-f]{16}(?:\.index(?:\.lock)?)?$/.test(name);

/** Removes the leftovers of interrupted syncs. The caller holds the lock. */
export async function removeLeftovers(folders: RootFolders): Promise<void> {
  for (const folder of [folders.folder, folders.trees])
    for (const name of await readdir(folder)) if (isLeftover(name)) await removeFolder(join(folder, name));
  const packs = join(folders.repository, 'objects', 'pack');
  for (const name of (await ifFound(readdir(packs))) ?? [])
    if (name.startsWith('tmp_') || name.startsWith('.tmp-')) await rm(join(packs, name), { force: true });
}

/** Removes a folder under a temporary name, so that it never exists incomplete under its own name. */
export async function discard(path: string): Promise<void> {
  const old = `${path}.old-${randomBytes(8).toString('hex')}`;
  try {
    await rename(path, old);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  await removeFolder(old);
}
