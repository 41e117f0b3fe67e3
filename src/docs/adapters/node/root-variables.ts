import { type Namespace, rootListVariables, rootVariable, rootVariablePattern } from '../../../protocol/roots.ts';

const isNamespace = (value: unknown): value is Namespace =>
  typeof value === 'string' && Object.hasOwn(rootListVariables, value);

/** Whether a variable defines roots. */
const definesRoots = (name: string): boolean =>
  /^(?:(?:DOCS|CODE)_ROOT|(?:DOCS|CODE|HARNESS)_ROOTS)$/.test(name) || rootVariablePattern.test(name);

/**
 * Converts the setting `atlas.docs.roots` to the variables that the docs tools read, and removes variables that define other roots. The
 * standalone server reads the same variables, so both use the same checks.
 */
export function withRoots(
  environment: Readonly<Record<string, string | undefined>>,
  roots: readonly unknown[],
): Readonly<Record<string, string | undefined>> {
  if (roots.length === 0) return environment;
  const variables: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !definesRoots(name)),
  );
  for (const root of roots) {
    if (typeof root !== 'object' || root === null) continue;
    const { id, kind = 'docs', path, gitUrl, gitRef, subdir, title }: Readonly<Record<string, unknown>> = { ...root };
    // An invalid id stays in the list, so that the check of the variables reports it.
    const name = typeof id === 'string' ? id : '';
    const list = rootListVariables[isNamespace(kind) ? kind : 'docs'];
    variables[list] = variables[list] === undefined ? name : `${variables[list]},${name}`;
    const set = (part: Parameters<typeof rootVariable>[1], value: unknown): void => {
      if (typeof value === 'string') variables[rootVariable(name, part)] = value;
    };
    set('PATH', path);
    set('GIT_URL', gitUrl);
    set('GIT_REF', gitRef);
    set('SUBDIR', subdir);
    set('TITLE', title);
  }
  return variables;
}
