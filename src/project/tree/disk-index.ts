import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, nameOf } from '../../base/project-path.ts';
import type { FileEntry } from '../../ports/file-system.ts';
import { DiskEntries, type DiskEntry } from './disk-entries.ts';

/** Everything on disk that the tree depends on. A path without an entry has not been checked. */
export class DiskIndex {
  readonly #seen = new DiskEntries();
  readonly #below = new Map<ProjectPath, Set<ProjectPath>>();
  readonly #links = new Map<ProjectPath, Set<ProjectPath>>();

  get(path: ProjectPath): DiskEntry | undefined {
    return this.#seen.get(path);
  }

  /** Whether a path is a known file, including files that were listed but never read. */
  isFile(path: ProjectPath): boolean {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen.kind === 'file';
    const folder = path === '' ? undefined : this.#seen.get(folderOf(path));
    const name = nameOf(path);
    return folder?.kind === 'directory' && folder.entries.some(entry => entry.name === name && entry.kind === 'file');
  }

  set(path: ProjectPath, seen: DiskEntry): void {
    this.#seen.set(path, seen);
    for (let at = path; at !== ''; at = folderOf(at)) {
      const siblings = this.#below.get(folderOf(at));
      if (siblings?.has(at)) return;
      if (siblings) siblings.add(at);
      else this.#below.set(folderOf(at), new Set([at]));
    }
  }

  delete(path: ProjectPath): void {
    this.#seen.delete(path);
    for (let at = path; at !== '' && !this.#seen.has(at) && !this.#below.has(at); at = folderOf(at)) {
      const siblings = this.#below.get(folderOf(at));
      siblings?.delete(at);
      if (siblings?.size === 0) this.#below.delete(folderOf(at));
    }
  }

  /** Records a link. An outdated link only costs an extra check. */
  link(path: ProjectPath, target: ProjectPath): void {
    const links = this.#links.get(target) ?? new Set();
    this.#links.set(target, links.add(path));
  }

  /** The other paths of the same file through links. */
  *throughLinks(path: ProjectPath): Generator<ProjectPath> {
    if (this.#links.size === 0) return;
    for (let at = path; ; at = folderOf(at)) {
      // Paths below a link map to paths below its target.
      for (const link of this.#links.get(at) ?? []) yield `${link}${path.slice(at.length)}` as ProjectPath;
      if (at === '') return;
    }
  }

  /** The paths with an entry, at the path and below it. */
  *atOrBelow(path: ProjectPath): Generator<ProjectPath> {
    const open = [path];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#seen.has(at)) yield at;
      for (const child of this.#below.get(at) ?? []) open.push(child);
    }
  }

  /** The parent folders with an entry, up to the nearest listed folder, whose listing would show a new path first. */
  *above(path: ProjectPath): Generator<ProjectPath> {
    for (let at = path; at !== '';) {
      at = folderOf(at);
      const seen = this.#seen.get(at);
      if (seen) yield at;
      if (seen?.kind === 'directory') return;
    }
  }
}

/** Names that exist in only one listing, or with another kind. */
export function changedNames(before: readonly FileEntry[], after: readonly FileEntry[]): readonly string[] {
  const kinds = new Map(before.map(entry => [entry.name, entry.kind]));
  const changed = after.filter(entry => kinds.get(entry.name) !== entry.kind).map(entry => entry.name);
  const names = new Set(after.map(entry => entry.name));
  return [...changed, ...before.filter(entry => !names.has(entry.name)).map(entry => entry.name)];
}
