import type { ProjectPath } from '../../../base/brand.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { Use } from './use.ts';

export interface Located<T> {
  readonly file: ProjectPath;
  readonly use: T;
}

/** The uses of all files by what they name. A file is put in and taken out as a whole. */
export class UseTable {
  readonly #files = new Map<ProjectPath, readonly Use[]>();
  readonly #byTarget = new Map<DeclId, Map<ProjectPath, readonly Use[]>>();

  put(file: ProjectPath, uses: readonly Use[]): void {
    if (this.#files.get(file) === uses) return;
    this.remove(file);
    this.#files.set(file, uses);
    for (const [target, list] of Map.groupBy(uses, use => use.target)) inner(this.#byTarget, target).set(file, list);
  }

  remove(file: ProjectPath): void {
    const uses = this.#files.get(file);
    if (uses === undefined) return;
    this.#files.delete(file);
    for (const { target } of uses) drop(this.#byTarget, target, file);
  }

  /** Sorted by file, then by place. */
  usesOf(target: DeclId): readonly Located<Use>[] {
    return located(this.#byTarget.get(target));
  }

  /** In the order of the text. */
  usesIn(file: ProjectPath): readonly Use[] | undefined {
    return this.#files.get(file);
  }
}

function inner<K, T>(map: Map<K, Map<ProjectPath, T>>, key: K): Map<ProjectPath, T> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Map<ProjectPath, T>();
  map.set(key, made);
  return made;
}

function drop<K, T>(map: Map<K, Map<ProjectPath, T>>, key: K, file: ProjectPath): void {
  const files = map.get(key);
  files?.delete(file);
  if (files?.size === 0) map.delete(key);
}

function located(files: ReadonlyMap<ProjectPath, readonly Use[]> | undefined): readonly Located<Use>[] {
  if (files === undefined) return [];
  const sorted = Array.from(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([file, list]) =>
    list.toSorted((a, b) => a.name.start - b.name.start).map(use => ({ file, use })),
  );
}
