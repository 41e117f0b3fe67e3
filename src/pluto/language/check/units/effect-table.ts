import type { PausableWork } from '../../../../base/time-slice.ts';
import { type EffectKey, inheritedKey, traitKey } from '../effects/call-site.ts';
import { Effects, type ErrorsOf } from '../effects/effects.ts';
import { checkErrorHandling } from '../effects/enforce.ts';
import type { Signatures } from '../program/signatures.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { ExtraUnits } from './instances.ts';
import type { Unit } from './unit.ts';

/** The errors that units raise, and whether their calls handle errors. */
export class EffectTable {
  readonly #effects = new Effects();
  /** Units by callee. */
  readonly #callers = new Map<EffectKey, Set<Unit>>();
  readonly #known = new Map<Unit, NonNullable<Unit['result']>>();
  /** The bodies that tasks of each type run, by the spawning unit. */
  readonly #tasks = new Map<EffectKey, Map<Unit, readonly EffectKey[]>>();
  /** Keys of instances by declaration. */
  readonly #instances = new Map<string, Set<EffectKey>>();

  get errorsOf(): ErrorsOf {
    return this.#effects.errorsOf;
  }

  /** The errors that a declaration raises in any of its instances. */
  errorsOfItem(id: string): ReadonlySet<ErrorSymbol> {
    const all = new Set(this.errorsOf(id));
    for (const key of this.#instances.get(id) ?? []) for (const error of this.errorsOf(key)) all.add(error);
    return all;
  }

  put(unit: Unit): void {
    this.#forget(unit);
    const { result, spec } = unit;
    if (result === undefined) return;
    this.#known.set(unit, result);
    const { effect } = spec;
    let direct = result.raises;
    let calls = NO_KEYS;
    if (result.sites.length > 0) {
      const errors = new Set(direct);
      const called = new Set<EffectKey>();
      for (const { how, key, direct: own } of result.sites) {
        if (key !== undefined) inner(this.#callers, key).add(unit);
        if (how !== 'propagate') continue;
        for (const error of own) errors.add(error);
        if (key !== undefined) called.add(key);
      }
      direct = Array.from(errors);
      calls = called;
    } else if (direct.length > 1) direct = Array.from(new Set(direct));
    if (result.spawns.length > 0) this.#putTasks(unit, result.spawns);
    if (effect === undefined) return;
    this.#effects.set(effect, direct, calls);
    if (effect !== spec.owner) inner(this.#instances, spec.owner).add(effect);
  }

  #putTasks(unit: Unit, spawns: NonNullable<Unit['result']>['spawns']): void {
    for (const [task, list] of Map.groupBy(spawns, spawn => spawn.task)) {
      const tasks = this.#tasks.get(task) ?? new Map<Unit, readonly EffectKey[]>();
      this.#tasks.set(task, tasks);
      tasks.set(
        unit,
        list.map(({ runs }) => runs),
      );
      this.#setTask(task);
    }
  }

  remove(unit: Unit): void {
    this.#forget(unit);
    const { effect, owner } = unit.spec;
    if (effect === undefined) return;
    this.#effects.set(effect, [], new Set());
    this.#instances.get(owner)?.delete(effect);
  }

  #forget(unit: Unit): void {
    const was = this.#known.get(unit);
    if (was === undefined) return;
    this.#known.delete(unit);
    for (const { key } of was.sites) if (key !== undefined) this.#callers.get(key)?.delete(unit);
    for (const { task } of was.spawns) {
      this.#tasks.get(task)?.delete(unit);
      this.#setTask(task);
    }
  }

  #setTask(task: EffectKey): void {
    this.#effects.set(task, [], new Set(Array.from(this.#tasks.get(task)?.values() ?? []).flat()));
  }

  /** Updates the implementations of each trait method. Must be called after any change outside of bodies. */
  readTraits(extras: ExtraUnits, signatures: Signatures): void {
    for (const trait of extras.traits)
      for (const method of signatures.trait(trait).methods.values()) {
        const calls = new Set<EffectKey>();
        for (const symbol of extras.implementersOf(trait)) {
          const own = signatures.class(symbol).methods.get(method.name);
          if (own === undefined) calls.add(inheritedKey(method.id, symbol));
          else for (const key of [own.id, ...(this.#instances.get(own.id) ?? [])]) calls.add(key);
        }
        this.#effects.set(traitKey(method.id), [], calls);
      }
  }

  /** @returns the units whose findings may have changed; `checkErrorHandling` updates them */
  *solve(ran: Iterable<Unit>): PausableWork<ReadonlySet<Unit>> {
    const units = new Set(ran);
    for (const key of yield* this.#effects.solve()) for (const unit of this.#callers.get(key) ?? []) units.add(unit);
    return units;
  }

  checkErrorHandling(unit: Unit): void {
    unit.effectDiagnostics = checkErrorHandling(unit.result?.sites ?? [], this.errorsOf, unit.spec.with !== undefined);
  }
}

const NO_KEYS: ReadonlySet<EffectKey> = new Set();

function inner<K, T>(map: Map<K, Set<T>>, key: K): Set<T> {
  let set = map.get(key);
  if (set === undefined) map.set(key, (set = new Set()));
  return set;
}
