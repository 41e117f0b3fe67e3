import { compileGlob, type Glob } from './glob.ts';

/** The maximum size of a `.gitignore` that is read. */
export const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/** The rules of one `.gitignore`, in the order of the file. Paths are relative to the folder that holds it. */
export type IgnoreRules = readonly IgnoreRule[];
interface IgnoreRule {
  readonly matches: Glob;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/**
 * Reads a `.gitignore`; invalid lines are skipped, as in git. The rules run on our glob engine, because a hostile repository must not
 * hang a search and the `ignore` package compiles patterns to backtracking expressions.
 */
export function parseIgnoreRules(text: string): IgnoreRules {
  return text.split('\n').flatMap(parseRule);
}

function parseRule(line: string): readonly IgnoreRule[] {
  let pattern = line.replace(/\r$/, '');
  if (pattern.startsWith('#')) return [];
  let end = pattern.length;
  while (pattern[end - 1] === ' ' && pattern[end - 2] !== '\\') end -= 1;
  pattern = pattern.slice(0, end);
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const isForFolders = pattern.endsWith('/');
  if (isForFolders) pattern = pattern.slice(0, -1);
  if (pattern === '' || pattern === '/') return [];
  const isAnchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const glob = compileGlob(isAnchored ? pattern : `**/${pattern}`, 'names');
  return glob.ok ? [{ matches: glob.value, isNegated, isForFolders }] : [];
}

/** The verdict of the last rule that matches; `undefined` when none does. */
export function verdictOf(rules: IgnoreRules, path: string, isFolder: boolean): 'ignored' | 'kept' | undefined {
  const rule = rules.findLast(one => (isFolder || !one.isForFolders) && one.matches(path));
  return rule === undefined ? undefined : rule.isNegated ? 'kept' : 'ignored';
}
