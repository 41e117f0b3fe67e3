import type { ErrorSymbol } from '../types/type.ts';
import type { EffectKey } from './call-site.ts';

interface Node {
  readonly key: EffectKey;
  direct: readonly ErrorSymbol[];
  calls: readonly Node[];
  readonly callers: Set<Node>;
  errors: Set<ErrorSymbol>;
}

const NOTHING: ReadonlySet<ErrorSymbol> = new Set();

export type ErrorsOf = (key: EffectKey) => ReadonlySet<ErrorSymbol>;

/** Which errors leave what, as the smallest sets that hold for all calls together. Only what a change reaches is worked out again. */
export class Effects {
  readonly #nodes = new Map<EffectKey, Node>();
  readonly #dirty = new Set<Node>();

  /** What a body raises itself, and whose errors it lets through. */
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

  /** Brings all sets up to date. @returns the keys whose set is another one now */
  solve(): ReadonlySet<EffectKey> {
    const changed = new Set<EffectKey>();
    if (this.#dirty.size === 0) return changed;
    const region = this.#reached();
    const before = new Map<Node, Set<ErrorSymbol>>();
    for (const node of region) {
      before.set(node, node.errors);
      node.errors = new Set(node.direct);
    }
    const waiting = Array.from(region);
    for (const node of region)
      for (const call of node.calls) if (!region.has(call)) for (const error of call.errors) node.errors.add(error);
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.errors.size === 0) continue;
      for (const caller of node.callers) {
        const { size } = caller.errors;
        for (const error of node.errors) caller.errors.add(error);
        if (caller.errors.size > size) waiting.push(caller);
      }
    }
    for (const [node, was] of before)
      if (was.size !== node.errors.size || Array.from(was).some(error => !node.errors.has(error)))
        changed.add(node.key);
    this.#dirty.clear();
    return changed;
  }

  /** Everything whose set could depend on what changed. */
  #reached(): ReadonlySet<Node> {
    const region = new Set(this.#dirty);
    for (const node of region) for (const caller of node.callers) region.add(caller);
    return region;
  }

  #node(key: EffectKey): Node {
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { key, direct: [], calls: [], callers: new Set(), errors: new Set() };
      this.#nodes.set(key, node);
    }
    return node;
  }
}
