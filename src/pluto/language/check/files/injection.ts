import { cyclesOf } from '../../../../base/cycles.ts';
import type { Program } from '../program/program.ts';
import { localNeeds } from '../program/lifecycle.ts';
import type { Signatures } from '../program/signatures.ts';
import type { ClassSymbol } from '../types/type.ts';

/** Classes with circular dependencies, each with its cycle. */
export function injectionCycles(
  program: Program,
  signatures: Signatures,
): ReadonlyMap<ClassSymbol, readonly ClassSymbol[]> {
  const cycles = new Map<ClassSymbol, readonly ClassSymbol[]>();
  const classes = Array.from(program.symbols.values()).filter(
    (symbol): symbol is ClassSymbol =>
      symbol.kind === 'ClassDecl' && symbol.decl.deps.length + symbol.decl.uses.length > 0,
  );
  for (const cycle of cyclesOf(classes, symbol => localNeeds(signatures, symbol)))
    for (const symbol of cycle) if (!cycles.has(symbol)) cycles.set(symbol, rotate(cycle, symbol));
  return cycles;
}

const rotate = (cycle: readonly ClassSymbol[], first: ClassSymbol): readonly ClassSymbol[] => {
  const at = cycle.indexOf(first);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
};
