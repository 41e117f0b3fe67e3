import type { RootProblem } from '../../base/retrieval-errors.ts';
import {
  type GitPolicy,
  isRootId,
  namespaces,
  reservedRootIds,
  type RootDefinition,
  rootListVariables,
  rootVariable,
  rootVariablePattern,
} from '../../protocol/roots.ts';
import { type Environment, isAbsolutePath } from './environment.ts';
import { readPolicy } from './git-policy.ts';
import { readSource } from './root-source.ts';

/** The configuration from environment variables. If it has problems, nothing is served. */
export interface RootConfiguration {
  /** By namespace, then by id. */
  readonly roots: readonly RootDefinition[];
  readonly policy: GitPolicy;
  readonly api: 'auto' | 'strict' | 'compat';
  /** Whether an old variable is set and no new one. */
  readonly isLegacy: boolean;
  readonly problems: readonly RootProblem[];
  /** Likely mistakes that do not prevent serving. */
  readonly warnings: readonly string[];
}

const oldVariables: Readonly<Record<'docs' | 'code', string>> = { docs: 'DOCS_ROOT', code: 'CODE_ROOT' };

/** Whether a variable defines roots; otherwise the workspace folders are the roots. */
export const namesRoots = (env: Environment): boolean =>
  [...Object.values(oldVariables), ...Object.values(rootListVariables)].some(name => isSet(env, name));

/**
 * Reads the variables of `docs/retrieval-compatibility.md` and reports all problems at once. Does not read the disk: missing folders are
 * reported where they are used.
 *
 * @param defaultCache the absolute cache folder if `WORKSPACE_DOCS_CACHE` is not set
 */
export function readConfiguration(env: Environment, defaultCache?: string): RootConfiguration {
  const problems: RootProblem[] = [];
  const roots: RootDefinition[] = [];
  const listed = new Map<string, string>();
  const { policy, api } = readPolicy(env, defaultCache, problems);

  for (const namespace of namespaces) {
    if (namespace !== 'harness') roots.push(...oldRoot(env, namespace, problems));
    for (const id of readList(env, rootListVariables[namespace], problems)) {
      const elsewhere = listed.get(id);
      if (elsewhere !== undefined) {
        problems.push({
          reason: 'ROOT_ID_DUPLICATE',
          variable: rootListVariables[namespace],
          message:
            elsewhere === rootListVariables[namespace]
              ? `lists ${id} twice`
              : `lists ${id}, which ${elsewhere} lists too`,
          root: id,
        });
        continue;
      }
      listed.set(id, rootListVariables[namespace]);
      const source = readSource(env, id, rootListVariables[namespace], policy, problems);
      if (source !== undefined) roots.push({ id, namespace, title: text(env, rootVariable(id, 'TITLE')), ...source });
    }
  }
  if (!isSet(env, oldVariables.docs) && !isSet(env, rootListVariables.docs))
    problems.push({
      reason: 'MISSING_ROOT',
      variable: oldVariables.docs,
      message: 'is not set, and neither is DOCS_ROOTS; at least one docs root is required',
      root: 'docs',
    });
  if (policy.cache === undefined && roots.some(root => root.source.kind === 'git'))
    problems.push({
      reason: 'CACHE_MISSING',
      variable: 'WORKSPACE_DOCS_CACHE',
      message: 'is not set; git roots require a cache folder',
    });
  return {
    roots: roots.toSorted(compareRoots),
    policy,
    api,
    isLegacy: namesOldRoots(env) && !hasNewVariables(env),
    problems,
    warnings: unlistedVariables(env, listed),
  };
}

/** Compares by namespace, then by id in code units: the order of every answer, independent of the order in the environment. */
export function compareRoots(a: RootDefinition, b: RootDefinition): number {
  const byNamespace = namespaces.indexOf(a.namespace) - namespaces.indexOf(b.namespace);
  return byNamespace !== 0 ? byNamespace : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

const text = (env: Environment, name: string): string | undefined => {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
};
const isSet = (env: Environment, name: string): boolean => text(env, name) !== undefined;

const namesOldRoots = (env: Environment): boolean => Object.values(oldVariables).some(name => isSet(env, name));

/** Whether a new variable is set. `WORKSPACE_DOCS_API` is excluded: it only selects between the old and the new tools. */
const hasNewVariables = (env: Environment): boolean =>
  Object.keys(env).some(
    name =>
      isSet(env, name) &&
      (Object.values<string>(rootListVariables).includes(name) ||
        rootVariablePattern.test(name) ||
        (name.startsWith('WORKSPACE_DOCS_') && name !== 'WORKSPACE_DOCS_API')),
  );

function oldRoot(env: Environment, namespace: 'docs' | 'code', problems: RootProblem[]): readonly RootDefinition[] {
  const variable = oldVariables[namespace];
  // Not trimmed: a path may start or end with a space, and older versions accepted that.
  const path = env[variable];
  if (path === undefined || path.trim() === '') return [];
  if (!isAbsolutePath(path)) {
    problems.push({
      reason: 'ROOT_PATH_RELATIVE',
      variable,
      message: 'must be an absolute path',
      root: `${namespace}-default`,
      path,
    });
    return [];
  }
  return [
    { id: `${namespace}-default`, namespace, title: undefined, source: { kind: 'local', path, variable }, subdir: '' },
  ];
}

function readList(env: Environment, variable: string, problems: RootProblem[]): readonly string[] {
  const list = text(env, variable);
  if (list === undefined) return [];
  return list.split(',').flatMap((item, index) => {
    const id = item.trim();
    const problem = idProblem(id, index);
    if (problem === undefined) return [id];
    problems.push({ variable, ...problem, ...(id === '' ? {} : { root: id }) });
    return [];
  });
}

function idProblem(id: string, index: number): Pick<RootProblem, 'reason' | 'message'> | undefined {
  if (id === '') return { reason: 'EMPTY_ENTRY', message: `has an empty entry at position ${index + 1}` };
  if (id === 'docs-default' || id === 'code-default')
    return {
      reason: 'ROOT_ID_RESERVED',
      message: `uses the id ${id}, which is reserved for ${id === 'docs-default' ? oldVariables.docs : oldVariables.code}`,
    };
  if (reservedRootIds.has(id)) return { reason: 'ROOT_ID_RESERVED', message: `uses the reserved id ${id}` };
  // An id is used as a folder name and as a part of variable names, so few characters are allowed.
  if (!isRootId(id))
    return {
      reason: 'ROOT_ID_INVALID',
      message: `lists the invalid id ${JSON.stringify(id)}; use up to 64 lower-case letters, digits and single dashes`,
    };
  return undefined;
}

function unlistedVariables(env: Environment, listed: ReadonlyMap<string, string>): readonly string[] {
  const known = new Set([...listed.keys()].map(id => id.toUpperCase().replaceAll('-', '_')));
  return Object.keys(env)
    .filter(name => {
      const id = rootVariablePattern.exec(name)?.[1];
      return id !== undefined && !known.has(id);
    })
    .toSorted()
    .map(name => `${name} is set, but its root is not in DOCS_ROOTS, CODE_ROOTS or HARNESS_ROOTS`);
}
