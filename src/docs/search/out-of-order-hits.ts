import type { RootPath } from '../../base/root-path.ts';
import type { RootFiles, RootFolder } from '../ports/root-files.ts';
import { compareNames, compareWalk } from '../scope/order.ts';
import { isShown } from '../files/walk.ts';

/**
 * Whether a walk that has reached `reached` may still meet something that sorts before `path`. The two orders differ where a folder's
 * name is the beginning of a sibling's: a walk meets `a/x` before `a.md`, and answers have it after. Folders' lists are read once.
 */
export class LateSiblings {
  readonly #files: RootFiles;
  readonly #lastOf = new Map<string, Promise<string | undefined>>();

  constructor(files: RootFiles) {
    this.#files = files;
  }

  async mayStillCome(root: RootFolder, path: RootPath, reached: RootPath): Promise<boolean> {
    const names = path.split('/');
    for (const [depth, name] of names.entries()) {
      const folder = names.slice(0, depth).join('/');
      const last = await this.#lastSibling(root, folder as RootPath, name, depth < names.length - 1);
      if (last === undefined) continue;
      const sibling = folder === '' ? last : `${folder}/${last}`;
      // Reached means: behind the sibling and all that it holds.
      if (reached.startsWith(`${sibling}/`) || compareWalk(reached, sibling) <= 0) return true;
    }
    return false;
  }

  /** The sibling that a walk meets last of those that it meets after `name` although their paths sort before. */
  #lastSibling(root: RootFolder, folder: RootPath, name: string, isFolder: boolean): Promise<string | undefined> {
    const key = `${root.id}\0${folder}\0${name}`;
    let known = this.#lastOf.get(key);
    if (known === undefined) {
      known = this.#findLast(root, folder, isFolder ? `${name}/` : name, name);
      this.#lastOf.set(key, known);
    }
    return known;
  }

  async #findLast(root: RootFolder, folder: RootPath, sortKey: string, name: string): Promise<string | undefined> {
    const entries = await this.#files.list(root, folder).catch(() => []);
    let last: string | undefined;
    for (const entry of entries) {
      if (!isShown(entry.name) || (entry.kind !== 'file' && entry.kind !== 'directory')) continue;
      const key = entry.kind === 'directory' ? `${entry.name}/` : entry.name;
      if (key >= sortKey || compareNames(entry.name, name) <= 0) continue;
      if (last === undefined || compareNames(entry.name, last) > 0) last = entry.name;
    }
    return last;
  }
}
