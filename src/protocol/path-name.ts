/** A path of names, joined by `/`. `name`: the last name, given only if it contains a `/` itself. */
export interface NamedPath {
  readonly path: string;
  readonly name?: string | undefined;
}

/** Adds the last name to a path if the path does not show it unambiguously. */
export const namedPath = (path: string, name: string): NamedPath =>
  name.includes('/') && path.endsWith(name) ? { path, name } : { path };

/** The last name of a path. */
export const nameOfPath = ({ path, name }: NamedPath): string => name ?? path.slice(path.lastIndexOf('/') + 1);

/** The path above the last name of a path; empty if it has one name. */
export const pathAbove = (named: NamedPath): string =>
  named.path.slice(0, Math.max(0, named.path.length - nameOfPath(named).length - 1));

/** The names in the path of each change. A name with a `/` is known if the instance is one of the changes. */
export function splitPaths(changes: readonly NamedPath[]): (change: NamedPath) => readonly string[] {
  const named = new Map(changes.flatMap(({ path, name }) => (name === undefined ? [] : [[path, name] as const])));
  return change => {
    const names: string[] = [];
    for (let at: NamedPath = change; at.path !== '';) {
      names.push(nameOfPath(at));
      const path = pathAbove(at);
      at = { path, name: named.get(path) };
    }
    return names.reverse();
  };
}
