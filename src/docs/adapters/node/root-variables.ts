const listVariables = { docs: 'DOCS_ROOTS', code: 'CODE_ROOTS', harness: 'HARNESS_ROOTS' } as const;
type Kind = keyof typeof listVariables;
const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(listVariables, value);

/** Matches every variable that defines a root. */
const rootVariable =
  /^(?:(?:DOCS|CODE)_ROOT|(?:DOCS|CODE|HARNESS)_ROOTS|ROOT_[A-Z0-9_]+_(?:PATH|GIT_URL|GIT_REF|SUBDIR|TITLE))$/;

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
    Object.entries(environment).filter(([name]) => !rootVariable.test(name)),
  );
  for (const root of roots) {
    if (typeof root !== 'object' || root === null) continue;
    const { id, kind = 'docs', path, gitUrl, gitRef, subdir, title }: Readonly<Record<string, unknown>> = { ...root };
    // An invalid id stays in the list, so that the check of the variables reports it.
    const name = typeof id === 'string' ? id : '';
    const list = listVariables[isKind(kind) ? kind : 'docs'];
    variables[list] = variables[list] === undefined ? name : `${variables[list]},${name}`;
    const parts = { PATH: path, GIT_URL: gitUrl, GIT_REF: gitRef, SUBDIR: subdir, TITLE: title };
    for (const [part, value] of Object.entries(parts))
      if (typeof value === 'string') variables[`ROOT_${name.toUpperCase().replaceAll('-', '_')}_${part}`] = value;
  }
  return variables;
}
