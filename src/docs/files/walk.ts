import { compareByteOrder } from '../../base/byte-order.ts';
import { AppError } from '../../base/errors.ts';
import { sortInSteps } from '../../base/sort-in-steps.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { childPath, isUnprintable, type RootPath } from '../../base/root-path.ts';
import type { RootEntry, RootFiles, RootFolder } from '../ports/root-files.ts';
import { enterFolder, type IgnoreStack, isIgnored } from './ignore-stack.ts';

/**
 * Yields the files that are listed and searched, in the order of `compareWalk`. Skips links, special files, unreadable folders and
 * names that cannot be printed.
 */
export async function* walk(
  files: RootFiles,
  root: RootFolder,
  slice: TimeSlice,
  signal: AbortSignal,
): AsyncGenerator<RootPath> {
  yield* walkFolder(files, root, '' as RootPath, undefined, slice, signal);
}

async function* walkFolder(
  files: RootFiles,
  root: RootFolder,
  folder: RootPath,
  above: IgnoreStack | undefined,
  slice: TimeSlice,
  signal: AbortSignal,
): AsyncGenerator<RootPath> {
  signal.throwIfAborted();
  const entries = await listOrNothing(files, root, folder);
  const hasRules = entries.some(entry => entry.name === '.gitignore' && entry.kind === 'file');
  const stack = await enterFolder(files, root, folder, above, hasRules, signal);
  const visible = entries.filter(({ name, kind }) => (kind === 'file' || kind === 'directory') && isShown(name));
  const sorted = await runInSlices(
    sortInSteps(visible, (a, b) => compareByteOrder(a.name, b.name)),
    slice,
  );
  for (const { name, kind } of sorted) {
    const path = childPath(folder, name);
    if (isIgnored(stack, path, kind === 'directory')) continue;
    if (kind === 'directory') yield* walkFolder(files, root, path, stack, slice, signal);
    else yield path;
  }
}

/** Whether a name may be listed, apart from `.gitignore` rules. */
export const isShown = (name: string): boolean => !name.startsWith('.') && !isUnprintable(name);

async function listOrNothing(files: RootFiles, root: RootFolder, folder: RootPath): Promise<readonly RootEntry[]> {
  try {
    return await files.list(root, folder);
  } catch (error) {
    // One unreadable folder does not fail a search. The caller checks for roots that were removed.
    if (error instanceof AppError) return [];
    throw error;
  }
}
