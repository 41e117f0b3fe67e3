interface Step<Node> {
  readonly node: Node;
  readonly targets: readonly Node[];
  next: number;
}

/**
 * Finds cycles in a directed graph by a depth-first search, in linear time apart from the length of the cycles. A cycle starts with the
 * node that the search reached first. Not every cycle is found, but each graph with a cycle has at least one in the result.
 *
 * @param targetsOf the targets of the edges of a node; called once for each node
 * @param done nodes that are not searched; the function adds every node that it has searched
 */
export function cyclesOf<Node>(
  starts: Iterable<Node>,
  targetsOf: (node: Node) => readonly Node[],
  done: Set<Node> = new Set<Node>(),
): readonly (readonly Node[])[] {
  const cycles: (readonly Node[])[] = [];
  for (const start of starts) {
    if (done.has(start)) continue;
    // An explicit stack: a chain may have as many nodes as the project has files or declarations.
    const path: Step<Node>[] = [];
    const indexOnPath = new Map<Node, number>();
    const enter = (node: Node): void => {
      indexOnPath.set(node, path.length);
      path.push({ node, targets: targetsOf(node), next: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.next === top.targets.length) {
        path.pop();
        indexOnPath.delete(top.node);
        done.add(top.node);
        continue;
      }
      const target = top.targets[top.next] as Node;
      top.next += 1;
      const index = indexOnPath.get(target);
      if (index !== undefined) cycles.push(path.slice(index).map(({ node }) => node));
      else if (!done.has(target)) enter(target);
    }
  }
  return cycles;
}
