import { instancePath } from '../../project/tree/instance-path.ts';
import { plural } from '../../base/plural.ts';
import type { Ref } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { runToEnd } from '../../base/time-slice.ts';
import type { ProjectSession, PullsPlan } from '../../project/project-session.ts';
import { normalizeForCollision } from '../../project/writeback/taken-names.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeFeed } from '../feed/tree-feed.ts';
import { ChildrenByName } from './children-by-name.ts';
import { type WriteOutcome } from './write-context.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';

/** An instance that was renamed in Studio. `base`: its name before, as Studio received it from disk. */
export interface RenamedInStudio {
  readonly id: Ref;
  readonly name: string;
  readonly base: string;
}

/** The outcomes of renamed instances in their order, and the recorded transaction if files were renamed. */
export interface RenamedInstances {
  readonly outcomes: readonly WriteOutcome[];
  readonly runId?: string;
}

/**
 * Divides renames into groups, in their order. No rename of a group depends on another one of it: they concern different names, and no
 * instance contains another. The next group is determined after the work with the previous one.
 */
export function* independentRenames<T extends RenamedInStudio>(
  all: readonly T[],
  session: Pick<ProjectSession, 'get'>,
): Generator<readonly T[]> {
  let group: T[] = [];
  let names = new Set<string>();
  let ids = new Set<Ref>();
  let above = new Set<Ref>();
  for (const renamed of all) {
    const { id, name, base } = renamed;
    const path: Ref[] = [id];
    for (let at = session.get(id); at !== undefined && session.get(at.parent); at = session.get(at.parent))
      path.push(at.parent);
    const own = [base, name].map(one => `${path[1] ?? ''}/${normalizeForCollision(one)}`);
    if (above.has(id) || path.some(one => ids.has(one)) || own.some(one => names.has(one))) {
      yield group;
      group = [];
      [names, ids, above] = [new Set(), new Set(), new Set()];
    }
    group.push(renamed);
    ids.add(id);
    for (const one of own) names.add(one);
    for (const one of path) above.add(one);
  }
  if (group.length > 0) yield group;
}

type Item = RenamedInStudio & { readonly instance: Instance; readonly what: string };

/**
 * Renames the files of instances that a live session reports, as one transaction.
 *
 * @param all a group of `independentRenames`
 */
export async function renameInstances(
  all: readonly RenamedInStudio[],
  context: WritePlanContext & { readonly feed: Pick<TreeFeed, 'assume'> },
): Promise<RenamedInstances> {
  const { session, signal } = context;
  const relevant = new Set(all.flatMap(({ id }) => session.get(id)?.metadata.relevantPaths ?? []));
  await session.refresh(signal, Array.from(relevant));
  const outcomes = new Map<Ref, WriteOutcome>();
  const settle = (id: Ref, outcome: WriteOutcome): void => void outcomes.set(id, outcome);
  let items = possible(all, session, settle);
  let plan: PullsPlan;
  for (;;) {
    plan = await planOf(items, session, signal);
    // A change on disk may have been read while the renames were planned.
    const left = possible(items, session, settle);
    if (left.length === items.length) break;
    items = left;
  }
  for (const [index, { id, what }] of items.entries()) {
    const pull = plan.pulls[index];
    if (pull?.ok !== true) settle(id, { what, outcome: 'failed', reason: pull?.reason ?? reasonOf('not_planned') });
  }
  const runId = plan.edits.length === 0 ? undefined : await write(items, plan, settle, context);
  return {
    outcomes: all.map(
      ({ id, base }) => outcomes.get(id) ?? { what: base, outcome: 'failed', reason: reasonOf('not_planned') },
    ),
    ...(runId !== undefined && { runId }),
  };
}

const planOf = (items: readonly Item[], session: ProjectSession, signal: AbortSignal): Promise<PullsPlan> =>
  session.planPulls(
    items.map(({ id, name, instance: { className } }) => ({
      kind: 'edit',
      id,
      studio: { id, name, className, properties: {}, children: [] },
    })),
    signal,
  );

/** The renames that are possible on disk. Settles the others. */
function possible(
  all: readonly RenamedInStudio[],
  session: Pick<ProjectSession, 'get' | 'rootId'>,
  settle: (id: Ref, outcome: WriteOutcome) => void,
): readonly Item[] {
  const children = new ChildrenByName(session);
  return all.flatMap(renamed => {
    const { id, name, base } = renamed;
    const state = stateOf(session, children, renamed);
    if ('outcome' in state) settle(id, state);
    return 'outcome' in state ? [] : [{ id, name, base, ...state }];
  });
}

/** The instance to rename, or the outcome if disk does not have the name that Studio knew. */
function stateOf(
  session: Pick<ProjectSession, 'get' | 'rootId'>,
  children: ChildrenByName,
  { id, name, base }: RenamedInStudio,
): WriteOutcome | Pick<Item, 'instance' | 'what'> {
  const instance = session.get(id);
  if (instance === undefined) return { what: base, outcome: 'conflict', reason: reasonOf('not_in_project') };
  const what = instancePath(session, id);
  if (instance.name === name) return { what, outcome: 'same' };
  if (instance.name !== base) return { what, outcome: 'conflict', reason: reasonOf('changed_on_both_sides') };
  if (runToEnd(children.named(instance.parent, name)).length > 0)
    return { what, outcome: 'conflict', reason: reasonOf('name_taken') };
  return { instance, what };
}

async function write(
  items: readonly Item[],
  plan: PullsPlan,
  settle: (id: Ref, outcome: WriteOutcome) => void,
  context: WritePlanContext & { readonly feed: Pick<TreeFeed, 'assume'> },
): Promise<string | undefined> {
  const { session, feed } = context;
  const isPlanned = (_: Item, index: number): boolean => plan.pulls[index]?.ok === true;
  const planned = items.filter(isPlanned);
  using assumed = new DisposableStore();
  // Studio has the names already.
  for (const { id, name, instance } of planned) assumed.add(feed.assume('own', id, { ...instance, name }));
  const title = plural(planned.length, `Rename to ${planned[0]?.name ?? ''}`, `Rename ${planned.length} instances`);
  const { runId, problems } = await writePlan(plan, title, context);
  for (const [index, item] of items.entries()) {
    if (!isPlanned(item, index)) continue;
    const { id, name, what } = item;
    const reason = problems.get(index);
    if (reason !== undefined) settle(id, { what, outcome: 'failed', reason });
    else if (session.get(id)?.name === name) settle(id, { what: instancePath(session, id), outcome: 'written' });
    else settle(id, { what, outcome: 'failed', reason: reasonOf('reads_other_name') });
  }
  return runId;
}
