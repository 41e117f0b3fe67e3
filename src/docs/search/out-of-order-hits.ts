import { compareByteOrder } from '../../base/byte-order.ts';
import type { RootPath } from '../../base/root-path.ts';
import type { RootFiles, RootFolder } from '../ports/root-files.ts';
import { compareWalk } from '../scope/order.ts';
import { isShown } from '../files/walk.ts';

/**
 * Finds out whether a walk can still produce a hit that sorts before a known hit. Walk order and answer order differ where a folder's
 * name is a prefix of a sibling's name: a walk visits `a/x` before `a.md`, but answers list it after. Each folder is listed once.
 */
export class OutOfOrderHits {
  readonly #files: RootFiles;
  readonly #lastOf = new Map<string, Promise<string | undefined>>();

  constructor(files: RootFiles) {
    this.#files = files;
  }

  /** Whether a walk that is now at `reached` may still visit a path that sorts before `path`. */
  async canStillFollow(root: RootFolder, path: RootPath, reached: RootPath): Promise<boolean> {
    const names = path.split('/');
    for (const [depth, name] of names.entries()) {
      const folder = names.slice(0, depth).join('/');
      const last = await this.#lastSibling(root, folder as RootPath, name, depth < names.length - 1);
      if (last === undefined) continue;
      const sibling = folder === '' ? last : `${folder}/${last}`;
      // The sibling is still ahead, or the walk is inside it.
      if (reached.startsWith(`${sibling}/`) || compareWalk(reached, sibling) <= 0) return true;
    }
    return false;
  }

  /** The last sibling, in walk order, that a walk visits after `name` although its path sorts before. */
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
    // No hit can be in a folder that cannot be listed; `vanishedRoots` reports a missing root.
    const entries = await this.#files.list(root, folder).catch(() => []);
    let last: string | undefined;
    for (const entry of entries) {
      if (!isShown(entry.name) || (entry.kind !== 'file' && entry.kind !== 'directory')) continue;
      const key = entry.kind === 'directory' ? `${entry.name}/` : entry.name;
      if (key >= sortKey || compareByteOrder(entry.name, name) <= 0) continue;
      if (last === undefined || compareByteOrder(entry.name, last) > 0) last = entry.name;
    }
    return last;
  }
}
