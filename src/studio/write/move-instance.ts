import { instancePath } from '../../project/tree/instance-path.ts';
import type { Ref } from '../../base/brand.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { reasonOf, type Reason } from '../../protocol/reason.ts';
import { type WriteOutcome } from './write-context.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';
import { childrenNamed } from './children-named.ts';

/** An instance that was moved in Studio. `base`: its parent and name before, as Studio received them from disk. */
export interface MovedInStudio {
  readonly id: Ref;
  readonly parentId: Ref;
  readonly name: string;
  readonly base: { readonly parentId: Ref; readonly name: string };
}

/**
 * Moves the files of an instance that a live session reports, as one transaction. Afterwards the tree has it under other ids. Studio gets
 * that like any change of disk, and recognizes its own instances.
 */
export async function moveInstance(
  move: MovedInStudio,
  context: WritePlanContext,
): Promise<{ readonly outcome: WriteOutcome; readonly runId?: string }> {
  const { id, parentId, name } = move;
  const { session, signal } = context;
  const relevant = [id, parentId].flatMap(one => session.get(one)?.metadata.relevantPaths ?? []);
  await session.refresh(signal, relevant);
  const conflict = conflictOf(move, session);
  if (conflict !== undefined) return { outcome: conflict };
  const plan = await session.planPulls([{ kind: 'move', id, parentId, name }], signal);
  // A change on disk may have been read while the move was planned.
  const late = conflictOf(move, session);
  if (late !== undefined) return { outcome: late };
  const what = instancePath(session, id);
  const failed = (reason: Reason): { readonly outcome: WriteOutcome } => ({
    outcome: { what, outcome: 'failed', reason },
  });
  const className = session.get(id)?.className;
  const [pull] = plan.pulls;
  if (pull?.ok !== true) return failed(pull?.reason ?? reasonOf('not_planned'));
  const { runId, problems } = await writePlan(plan, `Move to ${instancePath(session, parentId)}`, context);
  const problem = problems.get(0);
  if (problem !== undefined) return failed(problem);
  const found = childrenNamed(session, parentId, name).find(one => one.className === className);
  if (found === undefined) return failed(reasonOf('not_included'));
  return {
    outcome: { what: instancePath(session, found.id), outcome: 'written' },
    ...(runId !== undefined && { runId }),
  };
}

/** The outcome if disk does not have the parent and name that Studio knew, or the move is not possible there. */
function conflictOf({ id, parentId, name, base }: MovedInStudio, session: ProjectSession): WriteOutcome | undefined {
  const instance = session.get(id);
  if (instance === undefined) return { what: base.name, outcome: 'conflict', reason: reasonOf('not_in_project') };
  const conflict = (reason: Reason): WriteOutcome => ({ what: instancePath(session, id), outcome: 'conflict', reason });
  if (instance.parent !== base.parentId || instance.name !== base.name)
    return conflict(reasonOf('changed_on_both_sides'));
  if (session.get(parentId) === undefined) return conflict(reasonOf('parent_not_in_project'));
  for (const one of session.descendants(id))
    if (one.id === parentId) return conflict(reasonOf('changed_on_both_sides'));
  if (childrenNamed(session, parentId, name).length > 0) return conflict(reasonOf('name_taken'));
  return undefined;
}
