import { AppError } from '../../../base/errors.ts';

/** The target of an old call. */
export interface OldTarget {
  /** The value of `meta.repo`: the argument, the prefix of the path, or `both`. */
  readonly repo: string;
  readonly scope: readonly string[] | string;
  /** Removes the prefix that names the root from a path or glob. */
  strip(text: string): string;
}

const oldRepos = ['docs', 'code'] as const;

/**
 * Reads the target from `repo` and the first name of `file_glob`, or that of `path`; otherwise the target is docs and code. Further roots
 * are never included, so new roots change nothing for old clients.
 *
 * @param takesBoth whether `repo` may be `both`
 * @throws AppError REPO_INVALID, LEGACY_INPUT (`repo` and `scope` together)
 */
export function readTarget(args: Readonly<Record<string, unknown>>, takesBoth: boolean): OldTarget {
  const { repo, scope } = args;
  const asIs = (text: string): string => text;
  if (scope !== undefined) {
    const words: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
    if (repo !== undefined) throw new AppError('LEGACY_INPUT', { field: 'repo', scope: words.map(String) });
    if (words.length === 0 || words.some(word => typeof word !== 'string' || word === ''))
      throw new AppError('SCOPE_INVALID', { reason: 'it must be a string or a list of strings' });
    return { repo: 'both', scope: words.map(String), strip: asIs };
  }
  if (repo !== undefined) {
    const isKnown = oldRepos.some(known => known === repo) || (takesBoth && repo === 'both');
    if (!isKnown || typeof repo !== 'string')
      throw new AppError('REPO_INVALID', { repo: typeof repo === 'string' ? repo : JSON.stringify(repo) });
    const prefix = takesBoth ? prefixOf(args['file_glob']) : undefined;
    // In one root, the other name is a folder of that root.
    if (prefix !== undefined && (repo === 'both' || repo === prefix))
      return { repo, scope: [prefix], strip: text => text.slice(prefix.length + 1) };
    return { repo, scope: repo === 'both' ? [...oldRepos] : [repo], strip: asIs };
  }
  const prefix = prefixOf(takesBoth ? args['file_glob'] : args['path']);
  if (prefix === undefined) return { repo: 'both', scope: [...oldRepos], strip: asIs };
  return {
    repo: takesBoth ? 'both' : prefix,
    scope: [prefix],
    strip: text => text.slice(prefix.length + 1),
  };
}

const prefixOf = (named: unknown): (typeof oldRepos)[number] | undefined =>
  typeof named === 'string' ? oldRepos.find(one => named === one || named.startsWith(`${one}/`)) : undefined;
