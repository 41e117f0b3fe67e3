import { describeCause } from '../../../base/describe-cause.ts';
import { hasErrorCode, ifFound } from '../../../base/errno.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { createHash } from 'node:crypto';
import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Checkout, RootCheckouts } from '../../ports/root-checkouts.ts';
import { CurrentCheckout, rootCacheNames } from '../../../protocol/root-cache.ts';
import type { RootDefinition } from '../../../protocol/roots.ts';
import { areUnmodified } from './git-index.ts';

/** Finds the files of roots on the local disk. */
export const nodeRootCheckouts: RootCheckouts = {
  async locate(root, cache) {
    const { source } = root;
    if (source.kind === 'local') return locateBelow(source.path, root, undefined);
    if (cache === undefined)
      return { kind: 'absent', code: 'ROOT_NOT_SYNCED', reason: 'no cache folder is configured' };
    try {
      return await locateInCache(root, source.url, cache);
    } catch (error) {
      return absent(describeCause(error), 'ROOT_NOT_READABLE');
    }
  },

  async isChanged({ id, source, subdir }, cache, commit, paths) {
    if (source.kind === 'local' || cache === undefined) return false;
    const urlFolder = join(cache, rootCacheNames.rootFolder(id), urlKey(source.url));
    const tree = join(urlFolder, rootCacheNames.trees, commit);
    const below = paths.map(path => (subdir === '' ? path : `${subdir}/${path}`));
    return !(await areUnmodified(tree, `${tree}.index`, commit.length / 2, below));
  },
};

/** Returns the folder name for a URL inside `r-<id>`, so that objects of two URLs are never mixed. */
export const urlKey = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 12);

/** Reads `current.json`, the record of the served commit; `undefined` if it is missing or damaged. */
export async function readCurrent(file: string): Promise<CurrentCheckout | undefined> {
  // A damaged record is treated as missing; the next sync writes a new one.
  return CurrentCheckout.safeParse(parseJson((await ifFound(readFile(file, 'utf8'))) ?? '')).data;
}

const absent = (reason: string, problem: 'ROOT_NOT_FOUND' | 'ROOT_NOT_DIRECTORY' | 'ROOT_NOT_READABLE'): Checkout => ({
  kind: 'absent',
  code: 'ROOT_UNAVAILABLE',
  reason,
  problem,
});

async function locateInCache(root: RootDefinition, url: string, cache: string): Promise<Checkout> {
  const rootFolder = join(cache, rootCacheNames.rootFolder(root.id));
  const urlFolder = join(rootFolder, urlKey(url));
  const current = await readCurrent(join(urlFolder, rootCacheNames.current));
  if (current !== undefined) {
    const found = await locateBelow(join(urlFolder, rootCacheNames.trees, current.commit), root, current.commit);
    if (found.kind === 'present' || found.problem === 'ROOT_NOT_READABLE') return found;
    return { kind: 'absent', code: 'ROOT_NOT_SYNCED', reason: 'its files are missing from the cache' };
  }
  // The cache may only have files from another URL.
  const hasOther = (await ifFound(stat(rootFolder)))?.isDirectory() === true;
  const hasOwn = (await ifFound(stat(urlFolder))) !== undefined;
  return hasOther && !hasOwn
    ? {
        kind: 'absent',
        code: 'ROOT_CACHE_MISMATCH',
        reason: 'its URL differs from the one that was synced',
      }
    : { kind: 'absent', code: 'ROOT_NOT_SYNCED', reason: 'it was never synced' };
}

async function locateBelow(top: string, root: RootDefinition, commit: string | undefined): Promise<Checkout> {
  try {
    const realTop = await realpath(top);
    const folder = root.subdir === '' ? realTop : await realpath(join(realTop, ...root.subdir.split('/')));
    if (folder !== realTop && !folder.startsWith(realTop.endsWith(sep) ? realTop : realTop + sep))
      return absent('its subfolder is a link that leaves the root', 'ROOT_NOT_FOUND');
    if (!(await stat(folder)).isDirectory()) return absent('it is not a folder', 'ROOT_NOT_DIRECTORY');
    await access(folder, constants.R_OK | constants.X_OK);
    return { kind: 'present', folder, commit };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return absent('the folder does not exist', 'ROOT_NOT_FOUND');
    return hasErrorCode(error, 'ENOTDIR')
      ? absent('it is not a folder', 'ROOT_NOT_DIRECTORY')
      : absent(describeCause(error), 'ROOT_NOT_READABLE');
  }
}
