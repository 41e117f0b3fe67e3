import { type PausableWork, runToEnd } from '../../../../base/time-slice.ts';
import type { Callee } from './callee.ts';

/** A strongly connected component of the call graph: code that calls itself, directly or not, or one function that does not. */
interface CallGroup {
  /** Whether all code in it, and all that it calls, can become WebAssembly. */
  readonly isSupported: boolean;
  readonly isRecursive: boolean;
}

/** A function whose callees are being visited. */
interface Visit {
  readonly of: Callee;
  readonly callees: Iterator<Callee>;
  readonly order: number;
  /** The lowest order of a function that it calls and that is not in a group yet. */
  low: number;
}

/** The groups of functions that call each other, found by Tarjan's algorithm. Chains of calls may be longer than the stack. */
export class CallGroups {
  readonly #calleesOf: (of: Callee) => ReadonlySet<Callee> | undefined;
  readonly #groups = new Map<Callee, CallGroup>();

  /** @param calleesOf `undefined` for code that cannot become WebAssembly */
  constructor(calleesOf: (of: Callee) => ReadonlySet<Callee> | undefined) {
    this.#calleesOf = calleesOf;
  }

  /** Finds the groups of all code in steps. */
  *findAll(callees: Iterable<Callee>): PausableWork<void> {
    for (const callee of callees) if (!this.#groups.has(callee)) yield* this.#find(callee);
  }

  of(callee: Callee): CallGroup {
    if (!this.#groups.has(callee)) runToEnd(this.#find(callee));
    return this.#groups.get(callee) ?? { isSupported: false, isRecursive: false };
  }

  *#find(start: Callee): PausableWork<void> {
    const orders = new Map<Callee, number>();
    const open: Callee[] = [];
    const visits: Visit[] = [];
    const enter = (of: Callee): void => {
      const order = orders.size;
      orders.set(of, order);
      open.push(of);
      visits.push({ of, callees: (this.#calleesOf(of) ?? new Set<Callee>()).values(), order, low: order });
    };
    enter(start);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const next = visit.callees.next();
      if (next.done !== true) {
        if (this.#groups.has(next.value)) continue;
        const order = orders.get(next.value);
        if (order === undefined) enter(next.value);
        else visit.low = Math.min(visit.low, order);
        continue;
      }
      visits.pop();
      yield;
      const caller = visits.at(-1);
      if (caller !== undefined) caller.low = Math.min(caller.low, visit.low);
      if (visit.low === visit.order) this.#close(open.splice(open.lastIndexOf(visit.of)));
    }
  }

  #close(members: readonly Callee[]): void {
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
