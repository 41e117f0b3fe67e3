import type { ProjectPath } from '../../../base/brand.ts';
import { cyclesOf } from '../../../base/cycles.ts';
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
  for (const cycle of cyclesOf(manifests.values(), manifest => pathDependencies(manifests, manifest))) {
    const [first] = cycle;
    if (first === undefined) continue;
    const names = [...cycle, first].map(({ name }) => name);
    for (const { path } of cycle) yield [path, `circular package dependency: ${names.join(' → ')}`];
  }
}

function pathDependencies(
  manifests: ReadonlyMap<ProjectPath, Manifest>,
  { dependencies }: Manifest,
): readonly Manifest[] {
  const found: Manifest[] = [];
  for (const dependency of dependencies.values()) {
    if (dependency.kind !== 'path' || dependency.folder === undefined) continue;
    const manifest = manifests.get(dependency.folder);
    if (manifest !== undefined) found.push(manifest);
  }
  return found;
}
