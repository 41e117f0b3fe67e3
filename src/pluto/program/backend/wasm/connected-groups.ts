import type { PausableWork } from '../../../../base/time-slice.ts';

/** A directed graph in which some nodes are already in groups. */
interface Graph<T> {
  nextOf(node: T): Iterable<T>;
  isInGroup(node: T): boolean;
}

interface Visit<T> {
  readonly node: T;
  readonly next: Iterator<T>;
  readonly order: number;
  /** The lowest order of a node that it reaches and that is not in a group yet. */
  low: number;
}

/**
 * Finds the strongly connected components that a node reaches, by Tarjan's algorithm. Paths may be longer than the stack.
 *
 * @param add must put the nodes of a component into a group; it gets each component after those that it reaches
 */
export function* connectedGroups<T>(
  start: T,
  graph: Graph<T>,
  add: (members: readonly T[]) => void,
): PausableWork<void> {
  const orders = new Map<T, number>();
  const open: T[] = [];
  const visits: Visit<T>[] = [];
  const enter = (node: T): void => {
    const order = orders.size;
    orders.set(node, order);
    open.push(node);
    visits.push({ node, next: graph.nextOf(node)[Symbol.iterator](), order, low: order });
  };
  if (!graph.isInGroup(start)) enter(start);
  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    const next = visit.next.next();
    if (next.done !== true) {
      if (graph.isInGroup(next.value)) continue;
      const order = orders.get(next.value);
      if (order === undefined) enter(next.value);
      else visit.low = Math.min(visit.low, order);
      continue;
    }
    visits.pop();
    yield;
    const outer = visits.at(-1);
    if (outer !== undefined) outer.low = Math.min(outer.low, visit.low);
    if (visit.low === visit.order) add(open.splice(open.lastIndexOf(visit.node)));
  }
}
