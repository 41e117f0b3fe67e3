import type { Ref } from '../../base/brand.ts';
import { reasonText } from '../../protocol/reason.ts';
import type { TreeFeed } from '../feed/tree-feed.ts';
import { pathOf, type WriteOutcome } from './write-context.ts';
import { EDITED_ON_BOTH_SIDES } from './write-items.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';

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
  const instance = session.get(id);
  if (instance === undefined)
    return { outcome: { what: base, outcome: 'conflict', reason: 'it is no longer in the project' } };
  const what = pathOf(session, id);
  if (instance.name === name) return { outcome: { what, outcome: 'same' } };
  if (instance.name !== base) return { outcome: { what, outcome: 'conflict', reason: EDITED_ON_BOTH_SIDES } };
  const siblings = session.get(instance.parent)?.children ?? [];
  if (siblings.some(one => session.get(one)?.name === name))
    return {
      outcome: { what, outcome: 'conflict', reason: 'its parent has another instance with that name on disk' },
    };
  const studio = { id, name, className: instance.className, properties: {}, children: [] };
  const plan = await session.planPulls([{ kind: 'edit', id, studio }], signal);
  const [pull] = plan.pulls;
  if (pull?.ok !== true)
    return { outcome: { what, outcome: 'failed', reason: pull === undefined ? '' : reasonText(pull.reason) } };
  // Studio has the name already.
  using _ = feed.assume('own', id, { ...instance, name });
  const { runId, problem } = await writePlan(plan, `Rename to ${name}`, context);
  if (problem !== undefined) return { outcome: { what, outcome: 'failed', reason: problem } };
  if (session.get(id)?.name !== name)
    return {
      outcome: {
        what,
        outcome: 'failed',
        reason: 'its files were renamed, but the project reads another name from them',
      },
    };
  return { outcome: { what: pathOf(session, id), outcome: 'written' }, ...(runId !== undefined && { runId }) };
}
