import { freeRootId, type RootDefinition } from '../../protocol/roots.ts';
import { compareRoots, namesRoots, readConfiguration, type RootConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';

/** A folder that is open in the editor or served from the command line. */
export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Whether it contains a folder `docs`. */
  readonly hasDocs: boolean;
}

/**
 * Returns the roots from the variables. If no variable defines roots, each workspace folder is a code root, and its `docs` folder a docs
 * root.
 */
export function configurationOf(
  env: Environment,
  folders: readonly WorkspaceFolder[],
  defaultCache: string | undefined,
): RootConfiguration {
  const configuration = readConfiguration(env, defaultCache);
  if (namesRoots(env)) return configuration;
  return {
    ...configuration,
    roots: workspaceRoots(folders),
    problems: configuration.problems.filter(problem => problem.reason !== 'MISSING_ROOT'),
  };
}

function workspaceRoots(folders: readonly WorkspaceFolder[]): readonly RootDefinition[] {
  const taken = new Set<string>();
  const take = (name: string): string => {
    const id = freeRootId(name, 'workspace', taken);
    taken.add(id);
    return id;
  };
  const docsFolders = new Set(folders.filter(({ hasDocs }) => hasDocs).map(({ path }) => `${slashed(path)}docs/`));
  const roots = folders.flatMap(({ name, path, hasDocs }): readonly RootDefinition[] => {
    // Leaves space for the suffix of the docs root.
    const id = take(name.slice(0, 40));
    const source = { kind: 'local', path, variable: 'the workspace' } as const;
    const code: RootDefinition = { id, namespace: 'code', title: name, source, subdir: '' };
    // This folder is the docs folder of another workspace folder, and already a root.
    const own = docsFolders.has(slashed(path)) ? [] : [code];
    if (!hasDocs) return own;
    return [...own, { id: take(`${id}-docs`), namespace: 'docs', title: `${name} docs`, source, subdir: 'docs' }];
  });
  return roots.map(root => ({ ...root, inner: innerOf(root, roots) })).toSorted(compareRoots);
}

/** Returns the other roots inside a root, so that no file is found twice. */
function innerOf(root: RootDefinition, roots: readonly RootDefinition[]): NonNullable<RootDefinition['inner']> {
  const folder = folderOf(root);
  return roots.flatMap(other => {
    const inside = folderOf(other);
    if (inside === folder || !inside.startsWith(folder)) return [];
    return [{ path: inside.slice(folder.length, -1), root: other.id }];
  });
}

const folderOf = ({ source, subdir }: RootDefinition): string =>
  source.kind === 'local' ? slashed(subdir === '' ? source.path : `${slashed(source.path)}${subdir}`) : '';
const slashed = (path: string): string => `${path.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
