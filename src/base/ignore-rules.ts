import { compilePathGlob, type PathGlob } from './path-glob.ts';

/** The rules of one `.gitignore`, in the order of the file. Paths are relative to the folder that holds it. */
export type IgnoreRules = readonly IgnoreRule[];
interface IgnoreRule {
  readonly matches: PathGlob;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** Lines that cannot be read say nothing, as in git. */
export function parseIgnoreRules(text: string): IgnoreRules {
  return text.split('\n').flatMap(parseRule);
}

function parseRule(line: string): readonly IgnoreRule[] {
  let pattern = line.replace(/\r$/, '');
  if (pattern.startsWith('#')) return [];
  while (pattern.endsWith(' ') && !pattern.endsWith('\\ ')) pattern = pattern.slice(0, -1);
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const isForFolders = pattern.endsWith('/');
  if (isForFolders) pattern = pattern.slice(0, -1);
  if (pattern === '' || pattern === '/') return [];
  const isAnchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const glob = compilePathGlob(isAnchored ? pattern : `**/${pattern}`);
  return glob.ok ? [{ matches: glob.value, isNegated, isForFolders }] : [];
}

/** The last rule that fits decides; `undefined` when none does. */
export function verdictOf(rules: IgnoreRules, path: string, isFolder: boolean): 'ignored' | 'kept' | undefined {
  const rule = rules.findLast(one => (isFolder || !one.isForFolders) && one.matches(path));
  return rule === undefined ? undefined : rule.isNegated ? 'kept' : 'ignored';
}
