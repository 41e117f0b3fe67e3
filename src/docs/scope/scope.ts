import { AppError } from '../../base/errors.ts';
import { namespaces, type RootDefinition } from '../../protocol/roots.ts';

/** The roots that a call selects. */
export interface Scope {
  /** In the order of results, each once. */
  readonly roots: readonly RootDefinition[];
  /** Ids that were passed explicitly: a problem with one of them is an error, and it is not skipped. */
  readonly named: ReadonlySet<string>;
  /** Selected namespaces without roots. */
  readonly empty: readonly string[];
}

const wordsOf = (scope: unknown): readonly unknown[] => (Array.isArray(scope) ? scope : [scope]);

/** The problem of a `scope` argument that is not a word or a list of words. */
export function scopeProblem(scope: unknown): AppError | undefined {
  const words = wordsOf(scope);
  if (words.length === 0) return new AppError('SCOPE_INVALID', { reason: 'the list is empty' });
  if (words.includes('')) return new AppError('SCOPE_INVALID', { reason: 'it is empty' });
  return words.every(word => typeof word === 'string')
    ? undefined
    : new AppError('SCOPE_INVALID', { reason: 'it must be a string or a list of strings' });
}

/**
 * Resolves the `scope` argument to roots.
 *
 * @param scope the caller's argument: `undefined` for all roots, a word, or a list of words
 * @param roots all of them, in the order of results
 * @throws AppError SCOPE_INVALID, ROOT_UNKNOWN. An empty scope is an error; it never means all roots.
 */
export function resolveScope(scope: unknown, roots: readonly RootDefinition[]): Scope {
  const words = scope === undefined ? ['all'] : wordsOf(scope);
  const problem = scopeProblem(words);
  if (problem !== undefined) throw problem;
  const ids = new Set<string>();
  const named = new Set<string>();
  const empty = new Set<string>();
  for (const word of words.filter(one => typeof one === 'string')) {
    const namespace = namespaces.find(one => one === word);
    const matching =
      word === 'all'
        ? roots
        : roots.filter(root => (namespace === undefined ? root.id === word : root.namespace === word));
    for (const root of matching) ids.add(root.id);
    if (namespace !== undefined && matching.length === 0) empty.add(word);
    if (namespace !== undefined || word === 'all') continue;
    if (matching.length === 0) throw new AppError('ROOT_UNKNOWN', { root: word, known: roots.map(root => root.id) });
    named.add(word);
  }
  return { roots: roots.filter(root => ids.has(root.id)), named, empty: [...empty] };
}
