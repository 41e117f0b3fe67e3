import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../../../adapters/git/run-git.ts';
import { removeFolder } from '../../../adapters/node/remove-folder.ts';
import { ifFound } from '../../../base/errno.ts';
import { temporaryPath, discard, exists } from './cache-folder.ts';
import { type GitTerms, hardenedGit } from './hardened-git.ts';

/** The ref of the last fetched commit. */
export const FETCHED = 'refs/atlas/fetched';

/** The complete configuration of a cached repository. Any other content is treated as damage. */
const configText = (commitLength: number): string =>
  commitLength === 64
    ? '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n'
    : '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

/** Whether the repository has its original configuration, and no leftovers of a killed git process. */
export async function isRepositoryIntact(repository: string, commitLength?: number): Promise<boolean> {
  const config = await ifFound(readFile(join(repository, 'config'), 'utf8'));
  const allowed = commitLength === undefined ? [configText(40), configText(64)] : [configText(commitLength)];
  if (config === undefined || !allowed.includes(config)) return false;
  const refs = (await ifFound(readdir(join(repository, 'refs', 'atlas')))) ?? [];
  const names = [...(await readdir(repository)), ...refs];
  return !names.some(name => name.endsWith('.lock')) && names.includes('HEAD') && names.includes('objects');
}

/** Creates an empty repository. Replaces an existing one. */
export async function makeRepository(repository: string, commitLength: number, signal: AbortSignal): Promise<void> {
  const beside = temporaryPath(repository);
  try {
    await hardenedGit({ gitDir: beside, protocols: [], signal }, [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--object-format=${commitLength === 64 ? 'sha256' : 'sha1'}`,
    ]);
    await writeFile(join(beside, 'config'), configText(commitLength));
    await discard(repository);
    await rename(beside, repository);
  } finally {
    await removeFolder(beside);
  }
}

/**
 * Resolves a name to a commit; `undefined` if the repository does not have it.
 *
 * @throws Error if git cannot resolve it: there is no git, or the repository is damaged
 */
export async function commitOf(terms: GitTerms, name: string): Promise<string | undefined> {
  if (!(await exists(terms.gitDir))) return undefined;
  try {
    return (
      await hardenedGit(terms, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
    ).trim();
  } catch (error) {
    // With --quiet, git exits with 1 for a name that leads to no commit, and with 128 for all other failures.
    if (error instanceof GitError && error.exitCode === 1) return undefined;
    throw error;
  }
}

/** Whether `older` is an ancestor of `newer`. Both must exist. */
export async function isAncestor(terms: GitTerms, older: string, newer: string): Promise<boolean> {
  return (await hardenedGit(terms, ['rev-list', '--max-count=1', older, `^${newer}`, '--'])).trim() === '';
}

/** Returns the size in bytes of all packs, including the one that is being received. */
export async function packedBytes(repository: string): Promise<number> {
  const packs = join(repository, 'objects', 'pack');
  let bytes = 0;
  for (const name of (await ifFound(readdir(packs))) ?? [])
    bytes += (await ifFound(stat(join(packs, name))))?.size ?? 0;
  return bytes;
}
