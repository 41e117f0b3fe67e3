import { type PausableWork, runToEnd } from '../../../../base/time-slice.ts';
import type { Callee } from './callee.ts';
import { connectedGroups } from './connected-groups.ts';

/** A strongly connected component of the call graph: code that calls itself, directly or not, or one function that does not. */
interface CallGroup {
  /** Whether all code in it, and all that it calls, can become WebAssembly. */
  readonly isSupported: boolean;
  readonly isRecursive: boolean;
}

/** The groups of functions that call each other. */
export class CallGroups {
  readonly #calleesOf: (of: Callee) => ReadonlySet<Callee> | undefined;
  readonly #groups = new Map<Callee, CallGroup>();

  /** @param calleesOf `undefined` for code that cannot become WebAssembly */
  constructor(calleesOf: (of: Callee) => ReadonlySet<Callee> | undefined) {
    this.#calleesOf = calleesOf;
  }

  /** Finds the groups of all code in steps. */
  *findAll(callees: Iterable<Callee>): PausableWork<void> {
    for (const callee of callees) yield* this.#find(callee);
  }

  of(callee: Callee): CallGroup {
    if (!this.#groups.has(callee)) runToEnd(this.#find(callee));
    return this.#groups.get(callee) ?? { isSupported: false, isRecursive: false };
  }

  #find(start: Callee): PausableWork<void> {
    const graph = {
      nextOf: (of: Callee) => this.#calleesOf(of) ?? [],
      isInGroup: (of: Callee) => this.#groups.has(of),
    };
    return connectedGroups(start, graph, members => this.#add(members));
  }

  #add(members: readonly Callee[]): void {
    let isSupported = true;
    let isRecursive = members.length > 1;
    for (const member of members) {
      const callees = this.#calleesOf(member);
      if (callees === undefined) isSupported = false;
      for (const callee of callees ?? []) {
        if (callee === member) isRecursive = true;
        if (this.#groups.get(callee)?.isSupported === false) isSupported = false;
      }
    }
    const group = { isSupported, isRecursive };
    for (const member of members) this.#groups.set(member, group);
  }
}
