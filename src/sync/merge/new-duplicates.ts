import { listDeclarations } from './split-declarations.ts';
import { listEntries } from './split-table.ts';

/**
 * Whether a merged text declares a name more often than each side does: both sides added or moved it, to different places. Such a text
 * compiles, but the last declaration hides the others.
 */
export function hasNewDuplicates(merged: string, a: string, b: string): boolean {
  const repeated = Array.from(countNames(merged)).filter(([, count]) => count > 1);
  if (repeated.length === 0) return false;
  const [inA, inB] = [countNames(a), countNames(b)];
  return repeated.some(([name, count]) => count > Math.max(inA.get(name) ?? 0, inB.get(name) ?? 0));
}

/** How often each name is declared on the top level, and in each table there. */
function countNames(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { key, text: part, isNamed } of listDeclarations(text) ?? []) {
    // `_` is the name of values that are not used.
    if (!isNamed || key === 'local _') continue;
    add(key);
    if (!key.startsWith('function ')) for (const entry of listEntries(part)?.entries ?? []) add(`${key} ${entry.key}`);
  }
  return counts;
}
