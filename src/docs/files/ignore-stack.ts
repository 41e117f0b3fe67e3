import { AppError } from '../../base/errors.ts';
import { type IgnoreRules, parseIgnoreRules, verdictOf, MAX_IGNORE_FILE_BYTES } from '../../base/globs/ignore-rules.ts';
import { childPath, type RootPath } from '../../base/root-path.ts';
import type { RootFiles, RootFolder } from '../ports/root-files.ts';
import { readBytes } from './file-bytes.ts';

const FILE_NAME = '.gitignore';

/** The ignore rules for one folder: its own, and those of the folders above it up to the root. */
export interface IgnoreStack {
  readonly folder: RootPath;
  readonly rules: IgnoreRules;
  readonly above: IgnoreStack | undefined;
}

/**
 * Reads the rules of a folder.
 *
 * @param hasFile whether the folder has a `.gitignore`; `undefined` if unknown
 */
export async function enterFolder(
  files: RootFiles,
  root: RootFolder,
  folder: RootPath,
  above: IgnoreStack | undefined,
  hasFile: boolean | undefined,
  signal: AbortSignal,
): Promise<IgnoreStack> {
  return { folder, above, rules: hasFile === false ? [] : await readRules(files, root, folder, signal) };
}

/** Whether the rules exclude a path. The nearest matching rule wins; without one, the path is not ignored. */
export function isIgnored(stack: IgnoreStack | undefined, path: RootPath, isFolder: boolean): boolean {
  for (let one = stack; one !== undefined; one = one.above) {
    if (one.rules.length === 0) continue;
    const below = one.folder === '' ? path : path.slice(one.folder.length + 1);
    const verdict = verdictOf(one.rules, below, isFolder);
    if (verdict !== undefined) return verdict === 'ignored';
  }
  return false;
}

/** Whether a path or one of its parent folders is excluded; rules cannot re-include a path below an excluded folder. */
export async function isPathIgnored(
  files: RootFiles,
  root: RootFolder,
  path: RootPath,
  isFolder: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  let stack = await enterFolder(files, root, '' as RootPath, undefined, undefined, signal);
  let at = '' as RootPath;
  const names = path === '' ? [] : path.split('/');
  for (const [index, name] of names.entries()) {
    at = childPath(at, name);
    const isLast = index === names.length - 1;
    if (isIgnored(stack, at, isFolder || !isLast)) return true;
    if (!isLast) stack = await enterFolder(files, root, at, stack, undefined, signal);
  }
  return false;
}

async function readRules(
  files: RootFiles,
  root: RootFolder,
  folder: RootPath,
  signal: AbortSignal,
): Promise<IgnoreRules> {
  try {
    await using file = await files.open(root, childPath(folder, FILE_NAME));
    if (file.size > MAX_IGNORE_FILE_BYTES) return [];
    return parseIgnoreRules(new TextDecoder().decode(await readBytes(file, 0, MAX_IGNORE_FILE_BYTES, signal)));
  } catch (error) {
    // A missing or unreadable file has no rules. Anything else is a failure.
    if (error instanceof AppError && error.code !== 'INTERNAL') return [];
    throw error;
  }
}
