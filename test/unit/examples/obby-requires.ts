/** Finds the targets of `require(…)` in Luau text, without a VM: paths from services and from `script`. */
export interface Requires {
  /** Instance paths such as `ReplicatedStorage/Shared/Types`. */
  readonly targets: readonly string[];
  /** Texts of expressions that are not paths. */
  readonly unclear: readonly string[];
}

const pathExpression = /^(game:GetService\("(?<service>\w+)"\)|(?<base>\w+))(?<rest>(\.\w+|:WaitForChild\("\w+"\))*)$/;

/** `at` is the path of the script itself. */
export function requiresOf(source: string, at: string): Requires {
  const aliases = new Map<string, readonly string[]>([['script', at.split('/')]]);
  const code = source.replaceAll(/--\[\[.*?\]\]/gs, '').replaceAll(/--.*$/gm, '');
  for (const [, name = '', expression = ''] of code.matchAll(/^local (\w+) = (.+)$/gm)) {
    const path = resolve(expression.trim(), aliases);
    if (path !== undefined && !aliases.has(name)) aliases.set(name, path);
  }
  const targets: string[] = [];
  const unclear: string[] = [];
  for (const [, expression = ''] of code.matchAll(/\brequire\(((?:[^()]|\([^()]*\))*)\)/g)) {
    const path = resolve(expression.trim(), aliases);
    if (path === undefined) unclear.push(expression.trim());
    else targets.push(path.join('/'));
  }
  return { targets, unclear };
}

function resolve(expression: string, aliases: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const groups = pathExpression.exec(expression)?.groups;
  if (groups === undefined) return undefined;
  const { service, base = '', rest = '' } = groups;
  let path = service === undefined ? aliases.get(base) : [service];
  for (const [, field, waited] of rest.matchAll(/\.(\w+)|:WaitForChild\("(\w+)"\)/g)) {
    const step = field ?? waited ?? '';
    path = step === 'Parent' ? path?.slice(0, -1) : path && [...path, step];
  }
  return path;
}

/** The paths that cannot be reached from `entries` over `edges`. */
export function unreachable(
  all: Iterable<string>,
  entries: Iterable<string>,
  edges: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(edges.get(next) ?? []));
  }
  return [...all].filter(path => !seen.has(path));
}
