import type { GenericInstance } from '../body/body.ts';
import { bodyKey } from '../effects/call-site.ts';
import type { Program } from '../program/program.ts';
import type { Signatures } from '../program/signatures.ts';
import { isTooDeep } from '../types/parts.ts';
import type { ClassSymbol, TraitSymbol } from '../types/type.ts';
import type { Planner } from './plan.ts';
import { Unit, type UnitSpec } from './unit.ts';

/** More instances come from a declaration that uses itself with ever larger types. */
const MAX_INSTANCES = 10_000;

/** Units derived from other units: instances of generic declarations, and default methods of traits in each class. */
export class ExtraUnits {
  #units: ReadonlyMap<string, Unit> = new Map();
  readonly #program: Program;
  readonly #signatures: Signatures;
  readonly #planner: Planner;
  #inherited: readonly (() => UnitSpec)[] = [];
  /** Classes by the traits in their `impl` lists. */
  #implementers: ReadonlyMap<TraitSymbol, readonly ClassSymbol[]> = new Map();

  constructor(program: Program, signatures: Signatures, planner: Planner) {
    this.#program = program;
    this.#signatures = signatures;
    this.#planner = planner;
  }

  get all(): Iterable<Unit> {
    return this.#units.values();
  }

  implementersOf(trait: TraitSymbol): readonly ClassSymbol[] {
    return this.#implementers.get(trait) ?? [];
  }

  get traits(): Iterable<TraitSymbol> {
    return this.#implementers.keys();
  }

  /** Must be called after any change outside of bodies. */
  readDeclarations(): void {
    const implementers = new Map<TraitSymbol, ClassSymbol[]>();
    for (const symbol of this.#program.symbols.values()) {
      if (symbol.kind === 'TraitDecl' && !implementers.has(symbol)) implementers.set(symbol, []);
      if (symbol.kind !== 'ClassDecl' || symbol.decl.impls.length === 0) continue;
      for (const trait of new Set(this.#signatures.class(symbol).impls)) {
        const known = implementers.get(trait);
        if (known === undefined) implementers.set(trait, [symbol]);
        else known.push(symbol);
      }
    }
    this.#implementers = implementers;
    this.#inherited = Array.from(implementers).flatMap(([trait, classes]) => this.#defaultsOf(trait, classes));
  }

  #defaultsOf(trait: TraitSymbol, classes: readonly ClassSymbol[]): readonly (() => UnitSpec)[] {
    const specs: (() => UnitSpec)[] = [];
    for (const { name, body } of trait.decl.members) {
      if (body === undefined) continue;
      const spec = (symbol: ClassSymbol | undefined) => (): UnitSpec | undefined => {
        const method = trait.decl.members.find(member => member.name.text === name.text);
        return method === undefined ? undefined : this.#planner.inherited(trait, method, symbol);
      };
      const heirs = classes.filter(symbol => !this.#signatures.class(symbol).methods.has(name.text));
      for (const make of heirs.length === 0 ? [spec(undefined)] : heirs.map(spec)) {
        const made = make();
        if (made !== undefined) specs.push(() => make() ?? made);
      }
    }
    return specs;
  }

  /**
   * Finds all derived units reachable from `users`, and checks those that are new or stale.
   * @param isStale whether declarations changed, so that any unit may be stale
   */
  update(
    users: Iterable<Unit>,
    isStale: boolean,
  ): { readonly ran: readonly Unit[]; readonly removed: readonly Unit[]; readonly endless: ReadonlySet<Unit> } {
    const before = this.#units;
    const after = new Map<string, Unit>();
    const ran: Unit[] = [];
    const endless = new Set<Unit>();
    const waiting: Unit[] = [];
    const add = (spec: UnitSpec): void => {
      if (after.has(spec.key)) return;
      const known = before.get(spec.key);
      const unit = known ?? new Unit(spec);
      after.set(spec.key, unit);
      if (known === undefined || !known.move(spec) || (isStale && known.isStale)) {
        unit.run();
        ran.push(unit);
      }
      waiting.push(unit);
    };
    const instances = new Set<string>();
    const follow = (unit: Unit): void => {
      for (const instance of unit.result?.instances ?? []) {
        const key = bodyKey(instance.symbol.id, instance.args);
        if (instances.has(key)) continue;
        instances.add(key);
        if (isEndless(instance) || instances.size > MAX_INSTANCES) endless.add(unit);
        else for (const spec of this.#planner.instanceOf(instance.symbol, instance.args)) add(spec);
      }
    };
    for (const make of this.#inherited) add(make());
    for (const unit of users) follow(unit);
    for (let unit = waiting.pop(); unit !== undefined; unit = waiting.pop()) follow(unit);
    this.#units = after;
    const removed = Array.from(before.values()).filter(unit => after.get(unit.spec.key) !== unit);
    return { ran, removed, endless };
  }
}

const isEndless = ({ args }: GenericInstance): boolean => args.some(isTooDeep);
