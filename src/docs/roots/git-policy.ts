import type { RootProblem } from '../../base/retrieval-errors.ts';
import { type GitPolicy, type GitProtocol, gitProtocols } from '../../protocol/roots.ts';
import { type Environment, isAbsolutePath } from './environment.ts';

/** Reads the variables `WORKSPACE_DOCS_…`. An invalid value is reported and treated as not set. */
export function readPolicy(
  env: Environment,
  defaultCache: string | undefined,
  problems: RootProblem[],
): { readonly policy: GitPolicy; readonly api: 'auto' | 'strict' | 'compat' } {
  const invalid = (variable: string, message: string): void =>
    void problems.push({ reason: 'VALUE_INVALID', variable, message });
  const read = (variable: string): string | undefined => {
    const value = env[variable]?.trim();
    return value === '' ? undefined : value;
  };
  const wholeNumber = (variable: string, max: number, byDefault: number): number => {
    const value = read(variable);
    if (value === undefined) return byDefault;
    if (/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
    invalid(variable, `must be a whole number from 1 to ${max}, but is ${JSON.stringify(value)}`);
    return byDefault;
  };

  const api = read('WORKSPACE_DOCS_API') ?? 'auto';
  if (api !== 'auto' && api !== 'strict' && api !== 'compat')
    invalid('WORKSPACE_DOCS_API', `must be auto, strict or compat, but is ${JSON.stringify(api)}`);
  const offline = read('WORKSPACE_DOCS_OFFLINE') ?? '0';
  if (offline !== '0' && offline !== '1')
    invalid('WORKSPACE_DOCS_OFFLINE', `must be 0 or 1, but is ${JSON.stringify(offline)}`);
  let cache = env['WORKSPACE_DOCS_CACHE'] === '' ? undefined : env['WORKSPACE_DOCS_CACHE'];
  if (cache !== undefined && !isAbsolutePath(cache)) {
    problems.push({
      reason: 'CACHE_UNSAFE',
      variable: 'WORKSPACE_DOCS_CACHE',
      message: 'must be an absolute path',
    });
    cache = undefined;
  }
  const requested = (read('WORKSPACE_DOCS_GIT_PROTOCOLS') ?? 'https,ssh').split(',').map(name => name.trim());
  const protocols = requested.filter((name): name is GitProtocol => gitProtocols.some(known => known === name));
  if (protocols.length < requested.length)
    invalid('WORKSPACE_DOCS_GIT_PROTOCOLS', `must be a comma-separated list of ${gitProtocols.join(', ')}`);

  return {
    policy: {
      cache: cache ?? defaultCache,
      // An invalid value means offline, the safe choice.
      offline: offline !== '0',
      protocols,
      timeoutMs: wholeNumber('WORKSPACE_DOCS_GIT_TIMEOUT_MS', 3_600_000, 120_000),
      maxMb: wholeNumber('WORKSPACE_DOCS_GIT_MAX_MB', 1_000_000, 2048),
    },
    api: api === 'strict' || api === 'compat' ? api : 'auto',
  };
}
