import { parse } from 'smol-toml';
import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf, resolvePath } from '../../../base/project-path.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { isIdentifier, keywords } from '../syntax/token.ts';

/** The `pluto.toml` in the folder of a package. */
export interface Manifest {
  readonly path: ProjectPath;
  readonly name: string;
  readonly version: string;
  readonly dependencies: ReadonlyMap<string, Dependency>;
}

export type Dependency =
  | { readonly kind: 'path'; readonly folder: ProjectPath | undefined; readonly written: string }
  | { readonly kind: 'git'; readonly url: string };

type Table = Readonly<Record<string, unknown>>;
const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The manifest, or its problem, which completes a sentence that starts with the file. */
export function readManifest(path: ProjectPath, text: string): Result<Manifest, string> {
  let root: unknown;
  try {
    root = parse(text);
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return err(`invalid syntax: ${first}`);
  }
  if (!isTable(root)) return err('invalid syntax');
  const about = root['package'];
  if (!isTable(about)) return err('missing [package]');
  const { name, version = '0.1.0' } = about;
  if (typeof name !== 'string') return err("missing 'name' in [package]");
  if (name === '') return err("'name' must not be empty");
  if (typeof version !== 'string') return err("'version' must be a string");
  const dependencies = new Map<string, Dependency>();
  const written = root['dependencies'] ?? {};
  if (!isTable(written)) return err('[dependencies] must be a table');
  for (const [key, value] of Object.entries(written)) {
    const dependency = readDependency(path, key, value);
    if (!dependency.ok) return dependency;
    dependencies.set(key, dependency.value);
  }
  return ok({ path, name, version, dependencies });
}

function readDependency(path: ProjectPath, key: string, value: unknown): Result<Dependency, string> {
  if (keywords.includes(key)) return err(`dependency '${key}' is a reserved keyword`);
  if (!isIdentifier(key)) return err(`dependency '${key}' is not a valid identifier`);
  if (key === 'std') return err("dependency 'std' is reserved");
  if (!isTable(value)) return err(`dependency '${key}' must be a table with 'path' or 'git'`);
  const { path: folder, git } = value;
  const refs = ['rev', 'tag', 'branch'].filter(ref => value[ref] !== undefined);
  if ((folder === undefined) === (git === undefined))
    return err(`dependency '${key}' requires exactly one of 'path' and 'git'`);
  if (typeof git === 'string') {
    if (refs.length > 1) return err(`dependency '${key}' has more than one of 'rev', 'tag' and 'branch'`);
    return ok({ kind: 'git', url: git });
  }
  if (typeof folder !== 'string') return err(`dependency '${key}': 'path' and 'git' must be strings`);
  if (refs.length > 0) return err(`dependency '${key}': '${refs[0]}' requires 'git'`);
  return ok({ kind: 'path', folder: resolvePath(folderOf(path), folder), written: folder });
}
