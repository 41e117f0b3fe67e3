import { instancePath } from '../../project/tree/instance-path.ts';
import { plural } from '../../base/plural.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { runToEnd } from '../../base/time-slice.ts';
import type { ProjectSession, PullsPlan, SyncbackExclusions } from '../../project/project-session.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { type WriteOutcome } from './write-context.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';
import { ChildrenByName } from './children-by-name.ts';

/** An instance that was created in Studio, with everything below it. */
export interface CreatedInstance {
  readonly parentId: Ref;
  readonly studio: StudioInstance;
}

/** The outcomes of created instances in their order, and the recorded transaction if files were written. */
export interface CreatedInstances {
  readonly outcomes: readonly WriteOutcome[];
  readonly runId?: string;
}

/** `source`: as reported; `studio`: without the parts that rules exclude. */
type Item = CreatedInstance & { readonly what: string; readonly source: CreatedInstance };

/**
 * Creates the files of instances that a live session reports, as one transaction. Never overwrites an existing file.
 *
 * @param agreed those that both sides had before; disk has lost them since, so a person decides
 */
export async function createInstances(
  all: readonly CreatedInstance[],
  context: WritePlanContext,
  agreed: ReadonlySet<CreatedInstance> = new Set(),
): Promise<CreatedInstances> {
  const { session, signal } = context;
  const outcomes = new Map<CreatedInstance, WriteOutcome>();
  await session.refresh(
    signal,
    Array.from(new Set(all.flatMap(({ parentId }) => session.get(parentId)?.metadata.relevantPaths ?? []))),
  );
  const rules = session.syncbackExclusions();
  const before = new ChildrenByName(session);
  let items: readonly Item[] = all.flatMap(created => {
    const { item, outcome } = check(created, session, before, rules);
    if (outcome !== undefined) outcomes.set(created, outcome);
    if (item === undefined) return [];
    if (agreed.has(created))
      outcomes.set(created, { what: item.what, outcome: 'conflict', reason: reasonOf('removed_on_disk') });
    return agreed.has(created) ? [] : [item];
  });
  const settle = ({ what, source }: Item, outcome: Omit<WriteOutcome, 'what'>): void =>
    void outcomes.set(source, { what, ...outcome });
  let plan = await planOf(items, session, signal);
  for (;;) {
    const now = new ChildrenByName(session);
    const refused = items.flatMap((item, index) => {
      // A change on disk may have been read while the files were planned.
      const conflict = conflictOf(item, session, now);
      const isExcluded = pathsOf(plan, index).some(path => rules.excludesFile(path));
      return conflict === undefined && !isExcluded ? [] : [[item, conflict ?? EXCLUDED] as const];
    });
    if (refused.length === 0) break;
    for (const [item, outcome] of refused) settle(item, outcome);
    items = items.filter(item => !outcomes.has(item.source));
    plan = await planOf(items, session, signal);
  }
  for (const [index, item] of items.entries()) {
    const pull = plan.pulls[index];
    if (pull?.ok === false) settle(item, pull.isExcluded ? EXCLUDED : { outcome: 'failed', reason: pull.reason });
  }
  const runId = plan.edits.length === 0 ? undefined : await write(items, plan, settle, context);
  const after = new ChildrenByName(session);
  for (const item of items) {
    if (outcomes.has(item.source)) continue;
    const isMade = runToEnd(after.named(item.parentId, item.studio.name)).length > 0;
    settle(item, isMade ? { outcome: 'written' } : { outcome: 'failed', reason: NOT_INCLUDED });
  }
  return {
    outcomes: all.map(
      one => outcomes.get(one) ?? { what: one.studio.name, outcome: 'failed', reason: reasonOf('not_planned') },
    ),
    ...(runId !== undefined && { runId }),
  };
}

/** Whether the files of the instance were written, also if the project does not have it now. */
export const wroteFiles = (outcome: WriteOutcome | undefined): boolean =>
  outcome?.outcome === 'written' || outcome?.reason?.code === NOT_INCLUDED.code;

const NOT_INCLUDED = reasonOf('not_included');

/** A rule of the project keeps the instance out of the files, so it stays in Studio only. */
const EXCLUDED = { outcome: 'same' } as const;

function check(
  source: CreatedInstance,
  session: ProjectSession,
  children: ChildrenByName,
  rules: SyncbackExclusions,
): { readonly item?: Item; readonly outcome?: WriteOutcome } {
  const { parentId, studio } = source;
  const above = instancePath(session, parentId);
  const what = above === '' ? studio.name : `${above}/${studio.name}`;
  const conflict = conflictOf(source, session, children);
  if (conflict !== undefined) return { outcome: { what, ...conflict } };
  const included = withoutExcluded(studio, what, rules);
  return included === undefined
    ? { outcome: { what, ...EXCLUDED } }
    : { item: { parentId, studio: included, what, source } };
}

/** The outcome if the instance cannot be created on disk; `undefined` if it can. */
function conflictOf(
  { parentId, studio }: CreatedInstance,
  session: Pick<ProjectSession, 'get'>,
  children: ChildrenByName,
): Omit<WriteOutcome, 'what'> | undefined {
  if (session.get(parentId) === undefined) return { outcome: 'conflict', reason: reasonOf('parent_not_in_project') };
  if (runToEnd(children.named(parentId, studio.name)).length > 0)
    return { outcome: 'conflict', reason: reasonOf('name_taken') };
  return undefined;
}

/** The instance without the parts that rules exclude; `undefined` if they exclude it. */
export function withoutExcluded(
  studio: StudioInstance,
  path: string,
  rules: SyncbackExclusions,
): StudioInstance | undefined {
  if (rules.excludesInstance(path, studio.className)) return undefined;
  const children = studio.children.flatMap(child => withoutExcluded(child, `${path}/${child.name}`, rules) ?? []);
  return { ...studio, children };
}

const planOf = (items: readonly Item[], session: ProjectSession, signal: AbortSignal): Promise<PullsPlan> =>
  session.planPulls(
    items.map(({ parentId, studio }) => ({ kind: 'create', parentId, studio })),
    signal,
  );

function pathsOf({ pulls }: PullsPlan, index: number): readonly ProjectPath[] {
  const pull = pulls[index];
  return pull?.ok === true ? Array.from(pull.paths) : [];
}

async function write(
  items: readonly Item[],
  plan: PullsPlan,
  settle: (item: Item, outcome: Omit<WriteOutcome, 'what'>) => void,
  context: WritePlanContext,
): Promise<string | undefined> {
  const planned = items.filter((_, index) => plan.pulls[index]?.ok === true);
  const [first] = planned;
  const title = plural(
    planned.length,
    `New ${first?.studio.className ?? ''} ${first?.studio.name ?? ''}`,
    `${planned.length} new instances`,
  );
  const { runId, problems } = await writePlan(plan, title, context);
  for (const [index, item] of items.entries()) {
    const reason = problems.get(index);
    if (reason !== undefined && plan.pulls[index]?.ok === true) settle(item, { outcome: 'failed', reason });
  }
  return runId;
}
