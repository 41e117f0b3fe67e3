import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { EffectKey } from './call-site.ts';

interface Node {
  readonly key: EffectKey;
  direct: readonly ErrorSymbol[];
  calls: readonly Node[];
  readonly callers: Set<Node>;
  /** Shared empty set for the many keys that raise nothing. */
  errors: ReadonlySet<ErrorSymbol>;
}

const NOTHING: ReadonlySet<ErrorSymbol> = new Set();
const NODE_BATCH_SIZE = 2000;

export type ErrorsOf = (key: EffectKey) => ReadonlySet<ErrorSymbol>;

/** The errors that each key can raise: the least fixed point over all calls. Only keys that a change reaches are solved again. */
export class Effects {
  readonly #nodes = new Map<EffectKey, Node>();
  readonly #dirty = new Set<Node>();

  /** Sets the errors that a body raises itself and the callees whose errors it propagates. */
  set(key: EffectKey, direct: readonly ErrorSymbol[], calls: ReadonlySet<EffectKey>): void {
    const node = this.#node(key);
    const isSame =
      node.calls.length === calls.size &&
      node.calls.every(call => calls.has(call.key)) &&
      node.direct.length === direct.length &&
      node.direct.every((error, index) => error === direct[index]);
    if (isSame) return;
    for (const call of node.calls) call.callers.delete(node);
    node.direct = direct;
    node.calls = Array.from(calls, call => this.#node(call));
    for (const call of node.calls) call.callers.add(node);
    this.#dirty.add(node);
  }

  readonly errorsOf: ErrorsOf = key => this.#nodes.get(key)?.errors ?? NOTHING;

  /** Solves the fixed point. `set` must not be called in between. @returns the keys whose errors have changed */
  *solve(): PausableWork<ReadonlySet<EffectKey>> {
    const changed = new Set<EffectKey>();
    if (this.#dirty.size === 0) return changed;
    const region = this.#reached();
    yield;
    let seen = 0;
    /** Previous errors of the keys that are solved again. */
    const before = new Map<Node, ReadonlySet<ErrorSymbol>>();
    for (const node of region) {
      if (node.errors.size > 0 || node.direct.length > 0) before.set(node, node.errors);
      node.errors = node.direct.length === 0 ? NOTHING : new Set(node.direct);
      if ((seen += 1) % NODE_BATCH_SIZE === 0) yield;
    }
    const grow = (node: Node, errors: ReadonlySet<ErrorSymbol>): void => {
      const all = union(node.errors, errors);
      if (all === node.errors) return;
      if (!before.has(node)) before.set(node, NOTHING);
      node.errors = all;
      waiting.push(node);
    };
    const waiting: Node[] = [];
    for (const node of region) {
      if (node.errors.size > 0) waiting.push(node);
      for (const call of node.calls) if (call.errors.size > 0 && !region.has(call)) grow(node, call.errors);
      if ((seen += 1) % NODE_BATCH_SIZE === 0) yield;
    }
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const caller of node.callers) grow(caller, node.errors);
      if ((seen += 1) % NODE_BATCH_SIZE === 0) yield;
    }
    for (const [node, was] of before)
      if (was.size !== node.errors.size || Array.from(was).some(error => !node.errors.has(error)))
        changed.add(node.key);
    this.#dirty.clear();
    return changed;
  }

  /** The keys whose errors may depend on a change. */
  #reached(): ReadonlySet<Node> {
    const region = new Set(this.#dirty);
    for (const node of region) for (const caller of node.callers) region.add(caller);
    return region;
  }

  #node(key: EffectKey): Node {
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { key, direct: [], calls: [], callers: new Set(), errors: NOTHING };
      this.#nodes.set(key, node);
    }
    return node;
  }
}

/** Reuses one of the two sets if it contains the other: a program has few distinct sets. */
function union(a: ReadonlySet<ErrorSymbol>, b: ReadonlySet<ErrorSymbol>): ReadonlySet<ErrorSymbol> {
  if (a.size === 0) return b;
  for (const error of b) if (!a.has(error)) return new Set([...a, ...b]);
  return a;
}
