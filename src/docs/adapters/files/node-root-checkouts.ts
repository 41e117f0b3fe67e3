import { hasErrorCode, ifFound } from '../../../base/errno.ts';
import { createHash } from 'node:crypto';
import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Checkout, RootCheckouts } from '../../ports/root-checkouts.ts';
import { CurrentCheckout, rootCacheNames } from '../../../protocol/root-cache.ts';
import type { RootDefinition } from '../../../protocol/roots.ts';
import { areAsIndexed } from './git-index.ts';

/** Finds the files of roots on this machine's disk. */
export const nodeRootCheckouts: RootCheckouts = {
  async locate(root, cache) {
    const { source } = root;
    if (source.kind === 'local') return locateBelow(source.path, root, undefined);
    if (cache === undefined) return { kind: 'absent', code: 'ROOT_NOT_SYNCED', reason: 'there is no cache' };
    try {
      return await locateInCache(root, source.url, cache);
    } catch {
      return absent('it may not be read', 'ROOT_NOT_READABLE');
    }
  },

  async isChanged({ id, source, subdir }, cache, commit, paths) {
    if (source.kind === 'local' || cache === undefined) return false;
    const ofUrl = join(cache, rootCacheNames.rootFolder(id), urlKey(source.url));
    const tree = join(ofUrl, rootCacheNames.trees, commit);
    const below = paths.map(path => (subdir === '' ? path : `${subdir}/${path}`));
    return !(await areAsIndexed(tree, `${tree}.index`, commit.length / 2, below));
  },
};

/** Names the folder of a url below `r-<id>`, so that objects of two urls never meet. */
export const urlKey = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 12);

export async function readCurrent(file: string): Promise<CurrentCheckout | undefined> {
  const text = await ifFound(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  try {
    return CurrentCheckout.safeParse(JSON.parse(text)).data;
  } catch {
    // Half written by something that is not us: as good as none, and a sync writes it anew.
    return undefined;
  }
}

const absent = (reason: string, problem: 'ROOT_NOT_FOUND' | 'ROOT_NOT_DIRECTORY' | 'ROOT_NOT_READABLE'): Checkout => ({
  kind: 'absent',
  code: 'ROOT_UNAVAILABLE',
  reason,
  problem,
});

async function locateInCache(root: RootDefinition, url: string, cache: string): Promise<Checkout> {
  const ofRoot = join(cache, rootCacheNames.rootFolder(root.id));
  const ofUrl = join(ofRoot, urlKey(url));
  const current = await readCurrent(join(ofUrl, rootCacheNames.current));
  if (current !== undefined) {
    const found = await locateBelow(join(ofUrl, rootCacheNames.trees, current.commit), root, current.commit);
    if (found.kind === 'present') return found;
    return { kind: 'absent', code: 'ROOT_NOT_SYNCED', reason: 'its files are missing from the cache' };
  }
  // Something is there, but of another url.
  const hasOther = (await ifFound(stat(ofRoot)))?.isDirectory() === true;
  const hasOwn = (await ifFound(stat(ofUrl))) !== undefined;
  return hasOther && !hasOwn
    ? {
        kind: 'absent',
        code: 'ROOT_CACHE_MISMATCH',
        reason: 'its url is another one than the one that was synced',
      }
    : { kind: 'absent', code: 'ROOT_NOT_SYNCED', reason: 'it was never synced' };
}

async function locateBelow(top: string, root: RootDefinition, commit: string | undefined): Promise<Checkout> {
  try {
    const realTop = await realpath(top);
    const folder = root.subdir === '' ? realTop : await realpath(join(realTop, ...root.subdir.split('/')));
    if (folder !== realTop && !folder.startsWith(realTop.endsWith(sep) ? realTop : realTop + sep))
      return absent('its subfolder leads out of it', 'ROOT_NOT_FOUND');
    if (!(await stat(folder)).isDirectory()) return absent('it is not a folder', 'ROOT_NOT_DIRECTORY');
    await access(folder, constants.R_OK | constants.X_OK);
    return { kind: 'present', folder, commit };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return absent('there is no such folder', 'ROOT_NOT_FOUND');
    return hasErrorCode(error, 'ENOTDIR')
      ? absent('it is not a folder', 'ROOT_NOT_DIRECTORY')
      : absent('it may not be read', 'ROOT_NOT_READABLE');
  }
}
