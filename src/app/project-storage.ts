import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode, ifFound } from '../base/errno.ts';
import { findFirstExisting } from '../adapters/fs/project-reach.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';

/** The state of a project in this workspace. */
export interface ProjectStorage {
  /** Contains the journal and the base. An absolute path. */
  readonly folder: string;
  /** Distinguishes keys of the workspace state. Empty for the project that uses the storage of the workspace itself. */
  readonly suffix: string;
}

/** The state that VS Code stores for a workspace (`vscode.Memento`). */
export interface WorkspaceState {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The project whose state is in the storage of the workspace itself, so that a window with one project has no other folders. */
const OWNER_KEY = 'atlas.storageOwner';

/**
 * Finds the storage of a project, and makes the project the owner of the workspace's storage if that has none.
 *
 * @param folder the storage of the workspace, an absolute path
 * @param key identifies the project (`keyOfProject`)
 * @param isFirst whether it is the first project of the window, which takes over the storage if its owner was deleted
 */
export async function projectStorage(
  folder: string,
  state: WorkspaceState,
  key: string,
  isFirst: boolean,
): Promise<ProjectStorage> {
  const owner = state.get<string>(OWNER_KEY);
  const isOwner = owner === key || (isFirst && (owner === undefined || !(await hasProjectFile(owner))));
  if (isOwner && owner !== key) await state.update(OWNER_KEY, key);
  if (isOwner) return { folder, suffix: '' };
  const name = createHash('sha256').update(key).digest('hex').slice(0, 16);
  return { folder: join(folder, 'projects', name), suffix: `.${name}` };
}

/** Whether two folders in storages of windows, such as those of journals, belong to the same project of the workspace. */
export function isOfSameProject(one: string, other: string): boolean {
  const place = (folder: string): string => /(?:projects[\\/][0-9a-f]{16}[\\/])?[^\\/]+$/.exec(folder)?.[0] ?? '';
  return place(one) === place(other);
}

/**
 * Whether the file of a project exists, or a default one in its folder. True if that cannot be determined: a drive that does not respond
 * does not mean that the project was deleted.
 *
 * @param key a file URL (`keyOfProject`)
 */
export async function hasProjectFile(key: string): Promise<boolean> {
  const path = fileURLToPath(key);
  try {
    const found = await ifFound(stat(path));
    if (found?.isDirectory() === true) return (await findFirstExisting(path, defaultProjectNames())) !== undefined;
    return found !== undefined;
  } catch (error) {
    // Anything without a code is a bug.
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}
