import type { LifecycleItem, StageDecl } from '../../syntax/ast/decl.ts';
import type { AppSymbol, ClassSymbol, StageSymbol } from '../types/type.ts';
import type { Program } from './program.ts';
import type { Signatures } from './signatures.ts';

export type Lifecycle = 'singleton' | 'scoped' | 'transient';

const RANK: Readonly<Record<Lifecycle, number>> = { transient: 0, scoped: 1, singleton: 2 };

export const isShorter = (a: Lifecycle, b: Lifecycle): boolean => RANK[a] < RANK[b];

/** The lifecycle of a class: declared, overridden by an app or stage, or the shortest of its dependencies. */
export const lifecycleOf = (program: Program, signatures: Signatures, symbol: ClassSymbol): Lifecycle =>
  shortestLifecycle(signatures, symbol, one => overriddenLifecycle(program, signatures, one));

/** The lifecycle of a class without the overrides of apps and stages. */
export const declaredLifecycleOf = (signatures: Signatures, symbol: ClassSymbol): Lifecycle =>
  shortestLifecycle(signatures, symbol, one => signatures.class(one).lifecycle);

function shortestLifecycle(
  signatures: Signatures,
  symbol: ClassSymbol,
  lifecycleOfOne: (one: ClassSymbol) => Lifecycle,
): Lifecycle {
  // The set grows while it is visited: recursion over a chain of dependencies could overflow the stack.
  const reachable = new Set([symbol]);
  let shortest = lifecycleOfOne(symbol);
  for (const one of reachable) {
    const lifecycle = lifecycleOfOne(one);
    if (isShorter(lifecycle, shortest)) shortest = lifecycle;
    for (const need of localNeeds(signatures, one)) reachable.add(need);
  }
  return shortest;
}

/** The classes of the injected dependencies of a class, except for remote ones, which live in other processes. */
export function localNeeds(signatures: Signatures, symbol: ClassSymbol): readonly ClassSymbol[] {
  const needs: ClassSymbol[] = [];
  for (const { type, isInjected, isRemote } of signatures.class(symbol).fields.values())
    if (isInjected && !isRemote && type.kind === 'class') needs.push(type.symbol);
  return needs;
}

function overriddenLifecycle(program: Program, signatures: Signatures, symbol: ClassSymbol): Lifecycle {
  let lifecycle: Lifecycle = signatures.class(symbol).lifecycle;
  for (const entry of program.entries)
    for (const { name, lifecycle: wanted } of overridesOf(entry))
      if (
        name.text === symbol.name &&
        isShorter(wanted, lifecycle) &&
        program.find(program.fileOf(entry), name.text, 'ClassDecl') === symbol
      )
        lifecycle = wanted;
  return lifecycle;
}

/** Lifecycle overrides of an app or a stage: `scoped X`, `transient X`. */
const overridesOf = ({ decl }: AppSymbol | StageSymbol): readonly LifecycleItem[] =>
  (decl.members as StageDecl['members']).filter(member => member.kind === 'LifecycleItem');
