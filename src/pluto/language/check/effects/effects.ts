import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { EffectKey } from './call-site.ts';

interface Node {
  readonly key: EffectKey;
  direct: readonly ErrorSymbol[];
  calls: readonly Node[];
  readonly callers: Set<Node>;
  /** `NOTHING` for most, which raise nothing. */
  errors: ReadonlySet<ErrorSymbol>;
}

const NOTHING: ReadonlySet<ErrorSymbol> = new Set();
const NODE_BATCH_SIZE = 2000;

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

  /** Brings all sets up to date, with nothing set in between. @returns the keys whose set is another one now */
  *solve(): PausableWork<ReadonlySet<EffectKey>> {
    const changed = new Set<EffectKey>();
    if (this.#dirty.size === 0) return changed;
    const region = this.#reached();
    yield;
    let seen = 0;
    /** Of all that raise something now or did. */
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

  /** Everything whose set could depend on what changed. */
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

/** One of the two where it holds the other: most sets of a program are one of a few. */
function union(a: ReadonlySet<ErrorSymbol>, b: ReadonlySet<ErrorSymbol>): ReadonlySet<ErrorSymbol> {
  if (a.size === 0) return b;
  for (const error of b) if (!a.has(error)) return new Set([...a, ...b]);
  return a;
}
