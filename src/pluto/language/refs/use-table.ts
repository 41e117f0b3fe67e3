import type { ProjectPath } from '../../../base/brand.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { Use } from './use.ts';

/** A use, and the file that contains it. */
export interface UseInFile {
  readonly file: ProjectPath;
  readonly use: Use;
}

/** The uses of all files by their target. A file is added and removed as a whole. */
export class UseTable {
  readonly #files = new Map<ProjectPath, readonly Use[]>();
  /** Lists instead of maps, because most of the many targets are used in one or two files. */
  readonly #byTarget = new Map<DeclId, FileUses[]>();

  put(file: ProjectPath, uses: readonly Use[]): void {
    if (this.#files.get(file) === uses) return;
    this.remove(file);
    this.#files.set(file, uses);
    for (const [target, list] of Map.groupBy(uses, use => use.target)) {
      const known = this.#byTarget.get(target);
      if (known === undefined) this.#byTarget.set(target, [{ file, list }]);
      else known.push({ file, list });
    }
  }

  remove(file: ProjectPath): void {
    const uses = this.#files.get(file);
    if (uses === undefined) return;
    this.#files.delete(file);
    for (const target of new Set(uses.map(use => use.target))) {
      const others = this.#byTarget.get(target)?.filter(one => one.file !== file) ?? [];
      if (others.length === 0) this.#byTarget.delete(target);
      else this.#byTarget.set(target, others);
    }
  }

  /** Sorted by file, then by position. */
  usesOf(target: DeclId): readonly UseInFile[] {
    return sortUses(this.#byTarget.get(target));
  }

  /** In source order. */
  usesIn(file: ProjectPath): readonly Use[] | undefined {
    return this.#files.get(file);
  }
}

interface FileUses {
  readonly file: ProjectPath;
  readonly list: readonly Use[];
}

function sortUses(files: readonly FileUses[] | undefined): readonly UseInFile[] {
  if (files === undefined) return [];
  const sorted = files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return sorted.flatMap(({ file, list }) =>
    list.toSorted((a, b) => a.name.start - b.name.start).map(use => ({ file, use })),
  );
}
