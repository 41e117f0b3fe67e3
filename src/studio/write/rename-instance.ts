import { instancePath } from '../../project/tree/instance-path.ts';
import type { Ref } from '../../base/brand.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeFeed } from '../feed/tree-feed.ts';
import { type WriteOutcome } from './write-context.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';
import { childrenNamed } from './children-named.ts';

/** An instance that was renamed in Studio. `base`: its name before, as Studio received it from disk. */
export interface RenamedInStudio {
  readonly id: Ref;
  readonly name: string;
  readonly base: string;
}

/** Renames the files of an instance that a live session reports, as one transaction. */
export async function renameInstance(
  { id, name, base }: RenamedInStudio,
  context: WritePlanContext & { readonly feed: Pick<TreeFeed, 'assume'> },
): Promise<{ readonly outcome: WriteOutcome; readonly runId?: string }> {
  const { session, signal, feed } = context;
  await session.refresh(signal, session.get(id)?.metadata.relevantPaths ?? []);
  const before = stateOf(session, id, name, base);
  if ('outcome' in before) return { outcome: before };
  const { instance, what } = before;
  const studio = { id, name, className: instance.className, properties: {}, children: [] };
  const plan = await session.planPulls([{ kind: 'edit', id, studio }], signal);
  // A change on disk may have been read while the rename was planned.
  const now = stateOf(session, id, name, base);
  if ('outcome' in now) return { outcome: now };
  const [pull] = plan.pulls;
  if (pull?.ok !== true)
    return { outcome: { what, outcome: 'failed', reason: pull?.reason ?? reasonOf('not_planned') } };
  // Studio has the name already.
  using _ = feed.assume('own', id, { ...instance, name });
  const { runId, problem } = await writePlan(plan, `Rename to ${name}`, context);
  if (problem !== undefined) return { outcome: { what, outcome: 'failed', reason: problem } };
  if (session.get(id)?.name !== name)
    return { outcome: { what, outcome: 'failed', reason: reasonOf('reads_other_name') } };
  return { outcome: { what: instancePath(session, id), outcome: 'written' }, ...(runId !== undefined && { runId }) };
}

/** The instance to rename, or the outcome if disk does not have the name that Studio knew. */
function stateOf(
  session: Pick<ProjectSession, 'get' | 'rootId'>,
  id: Ref,
  name: string,
  base: string,
): WriteOutcome | { readonly instance: Instance; readonly what: string } {
  const instance = session.get(id);
  if (instance === undefined) return { what: base, outcome: 'conflict', reason: reasonOf('not_in_project') };
  const what = instancePath(session, id);
  if (instance.name === name) return { what, outcome: 'same' };
  if (instance.name !== base) return { what, outcome: 'conflict', reason: reasonOf('changed_on_both_sides') };
  if (childrenNamed(session, instance.parent, name).length > 0)
    return { what, outcome: 'conflict', reason: reasonOf('name_taken') };
  return { instance, what };
}
