import type { ProjectPath } from '../../../base/brand.ts';
import type { FolderIndex } from './folder-index.ts';
import type { Manifest } from './manifest.ts';

/** Problems of the dependencies of all packages together, by the path of the manifest. */
export function* dependencyProblems(
  folders: FolderIndex,
  manifests: ReadonlyMap<ProjectPath, Manifest>,
): Generator<readonly [ProjectPath, string]> {
  for (const { path, dependencies } of manifests.values())
    for (const [name, dependency] of dependencies)
      // A folder outside the project may exist; only an import of it is an error.
      if (dependency.kind === 'path' && dependency.folder !== undefined && !folders.has(dependency.folder))
        yield [path, `the path of dependency '${name}' does not exist: ${dependency.written}`];
  for (const cycle of cyclesOf(manifests)) {
    const [first] = cycle;
    if (first === undefined) continue;
    const names = [...cycle, first].map(({ name }) => name);
    for (const { path } of cycle) yield [path, `circular package dependency: ${names.join(' → ')}`];
  }
}

function* cyclesOf(manifests: ReadonlyMap<ProjectPath, Manifest>): Generator<readonly Manifest[]> {
  const done = new Set<Manifest>();
  const path: Manifest[] = [];
  const cycles: (readonly Manifest[])[] = [];
  const visit = (manifest: Manifest): void => {
    if (done.has(manifest)) return;
    const at = path.indexOf(manifest);
    if (at >= 0) {
      cycles.push(path.slice(at));
      return;
    }
    path.push(manifest);
    for (const dependency of manifest.dependencies.values()) {
      const next =
        dependency.kind === 'path' && dependency.folder !== undefined ? manifests.get(dependency.folder) : undefined;
      if (next !== undefined) visit(next);
    }
    path.pop();
    done.add(manifest);
  };
  for (const manifest of manifests.values()) visit(manifest);
  yield* cycles;
}
