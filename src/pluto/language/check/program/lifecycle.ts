import type { LifecycleItem, StageDecl } from '../../syntax/ast/decl.ts';
import type { AppSymbol, ClassSymbol, StageSymbol } from '../types/type.ts';
import type { Program } from './program.ts';
import type { Signatures } from './signatures.ts';

export type Lifecycle = 'singleton' | 'scoped' | 'transient';

const SHORTEST_FIRST: readonly Lifecycle[] = ['transient', 'scoped', 'singleton'];

export const isShorter = (a: Lifecycle, b: Lifecycle): boolean => SHORTEST_FIRST.indexOf(a) < SHORTEST_FIRST.indexOf(b);

/**
 * The lifecycles of classes: of each class, its own or the shortest of its dependencies. Each class is looked at once, however many
 * classes depend on it.
 */
export class Lifecycles {
  readonly #signatures: Signatures;
  readonly #ownLifecycleOf: (symbol: ClassSymbol) => Lifecycle;
  readonly #known = new Map<ClassSymbol, Lifecycle>();

  private constructor(signatures: Signatures, ownLifecycleOf: (symbol: ClassSymbol) => Lifecycle) {
    this.#signatures = signatures;
    this.#ownLifecycleOf = ownLifecycleOf;
  }

  /** With the overrides of apps and stages. */
  static overridden(program: Program, signatures: Signatures): Lifecycles {
    let overrides: ReturnType<typeof overridesByName> | undefined;
    return new Lifecycles(signatures, symbol => {
      overrides ??= overridesByName(program);
      let { lifecycle } = signatures.class(symbol);
      for (const { entry, wanted } of overrides.get(symbol.name) ?? [])
        if (isShorter(wanted, lifecycle) && program.find(program.fileOf(entry), symbol.name, 'ClassDecl') === symbol)
          lifecycle = wanted;
      return lifecycle;
    });
  }

  static declared(signatures: Signatures): Lifecycles {
    return new Lifecycles(signatures, symbol => signatures.class(symbol).lifecycle);
  }

  of(symbol: ClassSymbol): Lifecycle {
    if (!this.#known.has(symbol)) this.#find(symbol);
    return this.#known.get(symbol) ?? 'singleton';
  }

  #find(start: ClassSymbol): void {
    const found = new Map<Lifecycle, ClassSymbol[]>(SHORTEST_FIRST.map(lifecycle => [lifecycle, []]));
    // The map grows while it is visited: recursion over a chain of dependencies could overflow the stack.
    const dependents = new Map<ClassSymbol, ClassSymbol[]>([[start, []]]);
    for (const one of dependents.keys()) {
      const known = this.#known.get(one);
      found.get(known ?? this.#ownLifecycleOf(one))?.push(one);
      if (known !== undefined) continue;
      for (const need of localNeeds(this.#signatures, one)) {
        const others = dependents.get(need);
        if (others === undefined) dependents.set(need, [one]);
        else others.push(one);
      }
    }
    const settled = new Set<ClassSymbol>();
    for (const [lifecycle, symbols] of found)
      // The list grows while it is visited.
      for (const symbol of symbols) {
        if (settled.has(symbol)) continue;
        settled.add(symbol);
        this.#known.set(symbol, lifecycle);
        for (const one of dependents.get(symbol) ?? []) symbols.push(one);
      }
  }
}

/** The classes of the injected dependencies of a class, except for remote ones, which live in other processes. */
export function localNeeds(signatures: Signatures, symbol: ClassSymbol): readonly ClassSymbol[] {
  const needs: ClassSymbol[] = [];
  for (const { type, isInjected, isRemote } of signatures.class(symbol).fields.values())
    if (isInjected && !isRemote && type.kind === 'class') needs.push(type.symbol);
  return needs;
}

interface Override {
  readonly entry: AppSymbol | StageSymbol;
  readonly wanted: Lifecycle;
}

/** Lifecycle overrides of apps and stages (`scoped X`, `transient X`) by the name of the class. */
function overridesByName(program: Program): ReadonlyMap<string, readonly Override[]> {
  const overrides = new Map<string, Override[]>();
  for (const entry of program.entries)
    for (const { name, lifecycle: wanted } of overridesOf(entry)) {
      const others = overrides.get(name.text) ?? [];
      overrides.set(name.text, others);
      others.push({ entry, wanted });
    }
  return overrides;
}

const overridesOf = ({ decl }: AppSymbol | StageSymbol): readonly LifecycleItem[] =>
  (decl.members as StageDecl['members']).filter(member => member.kind === 'LifecycleItem');
