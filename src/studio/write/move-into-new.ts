import { instancePath } from '../../project/tree/instance-path.ts';
import { nameOf } from '../../base/project-path.ts';
import type { ProjectSession, PullsPlan, SyncbackExclusions } from '../../project/project-session.ts';
import { reasonOf, type Reason } from '../../protocol/reason.ts';
import { childrenNamed } from './children-named.ts';
import { type CreatedInstance, withoutExcluded } from './create-instances.ts';
import type { MovedInStudio } from './move-instance.ts';
import type { WriteOutcome } from './write-context.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';

/** An instance that was moved in Studio into a new one, which has its former parent and name. */
export interface MovedIntoNew {
  readonly created: CreatedInstance;
  /** `parentId`: the id of the new instance. */
  readonly move: MovedInStudio;
}

/**
 * Creates the folder of the new instance and moves the file of the other one into it, as one transaction: until both are done, one name has two
 * instances. Never overwrites an existing file.
 */
export async function moveIntoNew(
  both: MovedIntoNew,
  context: WritePlanContext,
): Promise<{ readonly outcome: WriteOutcome; readonly runId?: string }> {
  const { created, move } = both;
  const { session, signal } = context;
  const relevant = [move.id, created.parentId].flatMap(one => session.get(one)?.metadata.relevantPaths ?? []);
  await session.refresh(signal, relevant);
  const rules = session.syncbackExclusions();
  const what = `${instancePath(session, created.parentId)}/${created.studio.name}`;
  const failed = (reason: Reason): { readonly outcome: WriteOutcome } => ({
    outcome: { what, outcome: 'failed', reason },
  });
  const studio = withoutExcluded(created.studio, what, rules);
  // The files of the moved instance would have no place.
  if (studio === undefined) return failed(reasonOf('parent_not_in_project'));
  const conflict = conflictOf(both, session);
  if (conflict !== undefined) return failed(conflict);
  const className = session.get(move.id)?.className;
  const { parentId } = created;
  const plan = await session.planPulls(
    [
      { kind: 'create', parentId, studio },
      { kind: 'move', id: move.id, parentId: move.parentId, name: move.name },
    ],
    signal,
  );
  // A change on disk may have been read while both were planned.
  const late = conflictOf(both, session) ?? refusalOf(plan, studio.name, rules);
  if (late !== undefined) return failed(late);
  // Neither is written without the other.
  const paths = new Set(plan.pulls.flatMap(pull => (pull.ok ? Array.from(pull.paths) : [])));
  const asOne = { ...plan, pulls: plan.pulls.map(pull => (pull.ok ? { ...pull, paths } : pull)) };
  const { runId, problems } = await writePlan(asOne, `Move to ${what}`, context);
  const [problem] = problems.values();
  if (problem !== undefined) return failed(problem);
  const holder = childrenNamed(session, parentId, studio.name).find(one => one.className === studio.className);
  const found = holder && childrenNamed(session, holder.id, move.name).find(one => one.className === className);
  if (found === undefined) return failed(reasonOf('not_included'));
  return {
    outcome: { what: instancePath(session, found.id), outcome: 'written' },
    ...(runId !== undefined && { runId }),
  };
}

/** Why disk does not have what Studio knew, or cannot have what Studio has now. */
function conflictOf({ created, move }: MovedIntoNew, session: Pick<ProjectSession, 'get'>): Reason | undefined {
  const { parentId, studio } = created;
  const instance = session.get(move.id);
  if (instance === undefined) return reasonOf('not_in_project');
  if (instance.parent !== move.base.parentId || instance.name !== move.base.name)
    return reasonOf('changed_on_both_sides');
  if (instance.parent !== parentId || instance.name !== studio.name) return reasonOf('parent_not_in_project');
  // With its class too, the tree would take the new instance for the moved one.
  const isOnlyOne = childrenNamed(session, parentId, studio.name).length === 1;
  return isOnlyOne && instance.className !== studio.className ? undefined : reasonOf('name_taken');
}

function refusalOf({ pulls }: PullsPlan, name: string, rules: SyncbackExclusions): Reason | undefined {
  for (const pull of pulls) {
    if (!pull.ok) return pull.reason;
    for (const path of pull.paths) if (rules.excludesFile(path)) return reasonOf('parent_not_in_project');
  }
  const [created] = pulls;
  const entry = created?.ok === true ? created.entry : undefined;
  // A script with children has the folder of that name already.
  return entry !== undefined && nameOf(entry) === name ? undefined : reasonOf('name_taken');
}
