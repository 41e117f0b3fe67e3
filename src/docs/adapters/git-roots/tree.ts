import { ifFound } from '../../../base/errno.ts';
import { lstat, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError } from '../../../base/errors.ts';
import type { GitSyncReport } from '../../ports/git-roots.ts';
import type { GitPolicy, RootDefinition } from '../../../protocol/roots.ts';
import { besideOf, indexOf, exists, removeAll, type RootFolders, treeOf } from './cache-folder.ts';
import { type GitTerms, hardenedGit } from './hardened-git.ts';

export type Warning = GitSyncReport['warnings'][number];

/** Whether somebody has changed, removed or added files, ignored ones included. Without its index it counts as changed. */
export async function isDirty(terms: GitTerms, folders: RootFolders, commit: string): Promise<boolean> {
  const tree = { folder: treeOf(folders, commit), index: indexOf(folders, commit) };
  if (!(await exists(tree.index)) || !(await exists(terms.gitDir))) return true;
  const within = { ...terms, tree };
  const options = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--name-only', '-z'];
  try {
    if ((await hardenedGit(within, ['diff', ...options, '--'])) !== '') return true;
    return (await hardenedGit(within, ['ls-files', '--others', '-z', '--'])) !== '';
  } catch {
    terms.signal.throwIfAborted();
    // What cannot be compared is kept.
    return true;
  }
}

/**
 * Makes `trees/<commit>` and its index, which must not be there. They come under their names when they are whole.
 *
 * @throws AppError TREE_UNSAFE, SYNC_TOO_LARGE
 */
export async function makeTree(
  terms: GitTerms,
  folders: RootFolders,
  root: RootDefinition,
  policy: GitPolicy,
  commit: string,
): Promise<readonly Warning[]> {
  const contents = await look(terms, root, policy, commit);
  const folder = besideOf(treeOf(folders, commit));
  const index = `${folder}.index`;
  try {
    await mkdir(folder, { mode: 0o700 });
    const within = { ...terms, tree: { folder, index } };
    await hardenedGit(within, ['read-tree', '--no-recurse-submodules', commit]);
    await hardenedGit(within, ['checkout-index', '--all', '--force', '--quiet', '--index']);
    await checkSubdir(folder, root);
    const filtered = await hasFilters(folder);
    await rename(index, indexOf(folders, commit));
    await rename(folder, treeOf(folders, commit));
    return [
      ...(contents.submodules > 0
        ? [{ code: 'SUBMODULES_LEFT_OUT', message: `${contents.submodules} submodules are empty folders` }]
        : []),
      ...(contents.links > 0
        ? [
            {
              code: 'LINKS_AS_TEXT',
              message: `${contents.links} symbolic links are text files with their target`,
            },
          ]
        : []),
      ...(filtered
        ? [{ code: 'FILTERS_NOT_RUN', message: 'files with a filter (such as git-lfs) are as they are stored' }]
        : []),
    ];
  } finally {
    await removeAll(folder);
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

interface Contents {
  readonly submodules: number;
  readonly links: number;
}

/** Looks at every name before one of them is written. */
async function look(terms: GitTerms, root: RootDefinition, policy: GitPolicy, commit: string): Promise<Contents> {
  const listing = await hardenedGit(terms, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]);
  let submodules = 0;
  let links = 0;
  let bytes = 0;
  for (const entry of listing.split('\0')) {
    if (entry === '') continue;
    const [mode = '', , , size = ''] = entry.slice(0, entry.indexOf('\t')).split(/ +/);
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (!isSafePath(path)) throw new AppError('TREE_UNSAFE', { root: root.id, path, reason: 'is no name for a file' });
    if (mode === '160000') submodules += 1;
    if (mode === '120000') links += 1;
    bytes += Number(size) || 0;
  }
  if (bytes > policy.maxMb * 1024 * 1024)
    throw new AppError('SYNC_TOO_LARGE', { root: root.id, limitMb: policy.maxMb });
  return { submodules, links };
}

const isSafePath = (path: string): boolean =>
  path
    .split('/')
    .every(
      name =>
        name !== '' && name !== '.' && name !== '..' && !/^(?:\.git|git~\d+)[ .]*$/i.test(name) && !name.includes('\\'),
    );

/** @throws AppError TREE_UNSAFE */
export async function checkSubdir(folder: string, root: RootDefinition): Promise<void> {
  if (root.subdir === '') return;
  const unsafe = (reason: string): AppError =>
    new AppError('TREE_UNSAFE', { root: root.id, path: root.subdir, reason });
  const real = await ifFound(realpath(join(folder, ...root.subdir.split('/'))));
  if (real === undefined) throw unsafe('is not there');
  if (!real.startsWith((await realpath(folder)) + sep)) throw unsafe('leads out of the root');
  if (!(await stat(real)).isDirectory()) throw unsafe('is not a folder');
}

async function hasFilters(folder: string): Promise<boolean> {
  const file = join(folder, '.gitattributes');
  // A repository may have a folder of that name.
  if ((await ifFound(lstat(file)))?.isFile() !== true) return false;
  return /(?:^|\s)filter=/m.test(await readFile(file, 'utf8'));
}
