import type { Program } from '../program/program.ts';
import type { Signatures } from '../program/signatures.ts';
import type { ClassSymbol } from '../types/type.ts';

/** Classes with circular dependencies, each with its cycle. */
export function injectionCycles(
  program: Program,
  signatures: Signatures,
): ReadonlyMap<ClassSymbol, readonly ClassSymbol[]> {
  const cycles = new Map<ClassSymbol, readonly ClassSymbol[]>();
  const done = new Set<ClassSymbol>();
  for (const start of program.symbols.values()) {
    if (start.kind !== 'ClassDecl' || done.has(start) || start.decl.deps.length + start.decl.uses.length === 0)
      continue;
    // An explicit stack: a chain of dependencies may be as long as the project.
    const path: { readonly symbol: ClassSymbol; readonly needs: readonly ClassSymbol[]; next: number }[] = [];
    const enter = (symbol: ClassSymbol): void => {
      path.push({ symbol, needs: needsOf(signatures, symbol), next: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = top.needs[top.next];
      top.next += 1;
      if (to === undefined) {
        done.add(top.symbol);
        path.pop();
        continue;
      }
      const at = path.findIndex(({ symbol }) => symbol === to);
      if (at >= 0) {
        const cycle = path.slice(at).map(({ symbol }) => symbol);
        for (const symbol of cycle) if (!cycles.has(symbol)) cycles.set(symbol, rotate(cycle, symbol));
      } else if (!done.has(to)) enter(to);
    }
  }
  return cycles;
}

function needsOf(signatures: Signatures, symbol: ClassSymbol): readonly ClassSymbol[] {
  const needs: ClassSymbol[] = [];
  for (const { type, isInjected, isRemote } of signatures.class(symbol).fields.values())
    if (isInjected && !isRemote && type.kind === 'class') needs.push(type.symbol);
  return needs;
}

const rotate = (cycle: readonly ClassSymbol[], first: ClassSymbol): readonly ClassSymbol[] => {
  const at = cycle.indexOf(first);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
};
