import type { DeclId } from '../language/syntax/ast/node.ts';
import { type ItemAt, qualifiedName } from './items.ts';
import type { PlutoSession } from './pluto-session.ts';

export interface CallEdge {
  readonly callerId: DeclId;
  readonly callerName: string;
  readonly calleeId: DeclId;
  readonly calleeName: string;
}

/** A larger graph is too long to read. */
const MAX_EDGES = 2000;

/**
 * The calls from a function, and from its callees, breadth first, each pair once. A call through a trait leads to the trait method, and
 * from there to its implementations.
 * @param depth the maximum number of calls from the root to a callee
 */
export async function callGraph(
  session: PlutoSession,
  root: ItemAt,
  depth: number,
  signal: AbortSignal,
): Promise<{ readonly calls: readonly CallEdge[]; readonly isCut: boolean }> {
  await session.modules(signal);
  const calls: CallEdge[] = [];
  const seen = new Set<DeclId>([root.id]);
  let wave: readonly DeclId[] = [root.id];
  for (let level = 0; level < depth && wave.length > 0; level += 1) {
    const next: DeclId[] = [];
    for (const caller of wave) {
      const from = session.knownItem(caller);
      if (from === undefined) continue;
      for (const callee of calleesOf(session, from)) {
        if (calls.length >= MAX_EDGES) return { calls, isCut: true };
        const to = session.knownItem(callee);
        if (to === undefined) continue;
        calls.push({
          callerId: caller,
          callerName: qualifiedName(from),
          calleeId: callee,
          calleeName: qualifiedName(to),
        });
        if (seen.has(callee)) continue;
        seen.add(callee);
        next.push(callee);
      }
    }
    wave = next;
  }
  return { calls, isCut: false };
}

function calleesOf({ checker }: PlutoSession, { id, item, owners, module }: ItemAt): readonly DeclId[] {
  const callees = new Set<DeclId>();
  for (const { kind, from, target } of checker.usesIn(module.path))
    if (kind === 'call' && from === id) callees.add(target);
  // A call of a trait method may dispatch to any implementation.
  if (item.kind === 'MethodDecl' && owners.at(-1)?.kind === 'TraitDecl')
    for (const one of checker.overrideFamilyOf(id)) if (one !== id) callees.add(one);
  return Array.from(callees);
}
