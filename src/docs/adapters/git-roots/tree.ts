import { ifFound } from '../../../base/errno.ts';
import { lstat, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError } from '../../../base/errors.ts';
import { removeFolder } from '../../../adapters/node/remove-folder.ts';
import type { GitSyncWarning } from '../../ports/git-roots.ts';
import type { GitPolicy, RootDefinition } from '../../../protocol/roots.ts';
import { temporaryPath, indexOf, exists, type RootFolders, treeOf } from './cache-folder.ts';
import { type GitTerms, hardenedGit } from './hardened-git.ts';
import { TreeListing } from './tree-listing.ts';

/** Whether files were changed, removed or added locally, including ignored files. A tree without its index is treated as changed. */
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
    // If the tree cannot be compared, treat it as changed so that it is kept.
    return true;
  }
}

/**
 * Writes `trees/<commit>` and its index, which must not exist. Both are renamed to their final names when complete.
 *
 * @throws AppError TREE_UNSAFE, SYNC_TOO_LARGE
 */
export async function makeTree(
  terms: GitTerms,
  folders: RootFolders,
  root: RootDefinition,
  policy: GitPolicy,
  commit: string,
): Promise<readonly GitSyncWarning[]> {
  const contents = await inspectTree(terms, root, policy, commit);
  const folder = temporaryPath(treeOf(folders, commit));
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
        ? [
            {
              code: 'SUBMODULES_LEFT_OUT',
              message: `submodules are not fetched and their folders are empty (${contents.submodules})`,
            },
          ]
        : []),
      ...(contents.links > 0
        ? [
            {
              code: 'LINKS_AS_TEXT',
              message: `symbolic links are stored as text files with their target (${contents.links})`,
            },
          ]
        : []),
      ...(filtered
        ? [
            {
              code: 'FILTERS_NOT_RUN',
              message: 'filters (such as git-lfs) are not applied; these files are served as stored in git',
            },
          ]
        : []),
    ];
  } finally {
    await removeFolder(folder);
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/** Checks every path, their number and the total size before anything is written. */
async function inspectTree(
  terms: GitTerms,
  root: RootDefinition,
  policy: GitPolicy,
  commit: string,
): Promise<TreeListing> {
  const listing = new TreeListing(root.id);
  await hardenedGit({ ...terms, onOutput: chunk => listing.push(chunk) }, [
    'ls-tree',
    '-r',
    '-l',
    '-z',
    '--full-tree',
    commit,
  ]);
  if (listing.bytes > policy.maxMb * 1024 * 1024)
    throw new AppError('SYNC_TOO_LARGE', { root: root.id, limitMb: policy.maxMb });
  return listing;
}

/** Checks that the root's `subdir` is a folder inside the tree. @throws AppError TREE_UNSAFE */
export async function checkSubdir(folder: string, root: RootDefinition): Promise<void> {
  if (root.subdir === '') return;
  const unsafe = (reason: string): AppError =>
    new AppError('TREE_UNSAFE', { root: root.id, path: root.subdir, reason });
  const real = await ifFound(realpath(join(folder, ...root.subdir.split('/'))));
  if (real === undefined) throw unsafe('does not exist');
  if (!real.startsWith((await realpath(folder)) + sep)) throw unsafe('is a link that leaves the root');
  if (!(await stat(real)).isDirectory()) throw unsafe('is not a folder');
}

async function hasFilters(folder: string): Promise<boolean> {
  const file = join(folder, '.gitattributes');
  // A repository may contain a folder with that name.
  if ((await ifFound(lstat(file)))?.isFile() !== true) return false;
  return /(?:^|\s)filter=/m.test(await readFile(file, 'utf8'));
}
