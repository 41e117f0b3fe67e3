/** Finds a cycle of a graph, with the first node repeated at the end; `undefined` if there is none. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): readonly string[] | undefined => {
    if (finished.has(node)) return undefined;
    const seen = path.indexOf(node);
    if (seen !== -1) return [...path.slice(seen), node];
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    finished.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
