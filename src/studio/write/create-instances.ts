import { plural } from '../../base/plural.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import type { ProjectSession, PullsPlan, SyncbackExclusions } from '../../project/project-session.ts';
import { reasonText } from '../../protocol/reason.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { pathOf, type WriteOutcome } from './write-context.ts';
import { writePlan, type WritePlanContext } from './write-plan.ts';

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

/** Creates the files of instances that a live session reports, as one transaction. Never overwrites an existing file. */
export async function createInstances(
  all: readonly CreatedInstance[],
  context: WritePlanContext,
): Promise<CreatedInstances> {
  const { session, signal } = context;
  const outcomes = new Map<CreatedInstance, WriteOutcome>();
  await session.refresh(
    signal,
    all.flatMap(({ parentId }) => session.get(parentId)?.metadata.relevantPaths ?? []),
  );
  const rules = session.syncbackExclusions();
  let items: readonly Item[] = all.flatMap(created => {
    const { item, outcome } = check(created, session, rules);
    if (outcome !== undefined) outcomes.set(created, outcome);
    return item === undefined ? [] : [item];
  });
  const settle = ({ what, source }: Item, outcome: Omit<WriteOutcome, 'what'>): void =>
    void outcomes.set(source, { what, ...outcome });
  let plan = await planOf(items, session, signal);
  const excluded = items.filter((_, index) => pathsOf(plan, index).some(path => rules.excludesFile(path)));
  if (excluded.length > 0) {
    for (const item of excluded) settle(item, EXCLUDED);
    items = items.filter(item => !excluded.includes(item));
    plan = await planOf(items, session, signal);
  }
  for (const [index, item] of items.entries()) {
    const pull = plan.pulls[index];
    if (pull?.ok === false)
      settle(item, pull.isExcluded ? EXCLUDED : { outcome: 'failed', reason: reasonText(pull.reason) });
  }
  const runId = plan.edits.length === 0 ? undefined : await write(items, plan, settle, context);
  for (const item of items) {
    if (outcomes.has(item.source)) continue;
    const isMade = childrenNamed(session, item.parentId, item.studio.name).length > 0;
    settle(
      item,
      isMade
        ? { outcome: 'written' }
        : { outcome: 'failed', reason: 'its files were written, but the project does not include them' },
    );
  }
  return {
    outcomes: all.map(one => outcomes.get(one) ?? { what: one.studio.name, outcome: 'failed', reason: 'not planned' }),
    ...(runId !== undefined && { runId }),
  };
}

/** A rule of the project keeps the instance out of the files, so it stays in Studio only. */
const EXCLUDED = { outcome: 'same', reason: 'a syncback rule of the project excludes it' } as const;

function check(
  source: CreatedInstance,
  session: ProjectSession,
  rules: SyncbackExclusions,
): { readonly item?: Item; readonly outcome?: WriteOutcome } {
  const { parentId, studio } = source;
  if (session.get(parentId) === undefined)
    return { outcome: { what: studio.name, outcome: 'conflict', reason: 'its parent is not in the project' } };
  const above = pathOf(session, parentId);
  const what = above === '' ? studio.name : `${above}/${studio.name}`;
  if (childrenNamed(session, parentId, studio.name).length > 0)
    return {
      outcome: { what, outcome: 'conflict', reason: 'its parent has another instance with that name on disk' },
    };
  const included = withoutExcluded(studio, what, rules);
  return included === undefined
    ? { outcome: { what, ...EXCLUDED } }
    : { item: { parentId, studio: included, what, source } };
}

function withoutExcluded(studio: StudioInstance, path: string, rules: SyncbackExclusions): StudioInstance | undefined {
  if (rules.excludesInstance(path, studio.className)) return undefined;
  const children = studio.children.flatMap(child => withoutExcluded(child, `${path}/${child.name}`, rules) ?? []);
  return { ...studio, children };
}

const childrenNamed = (session: ProjectSession, parentId: Ref, name: string): readonly Ref[] =>
  session.get(parentId)?.children.filter(id => session.get(id)?.name === name) ?? [];

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
  const title = plural(planned.length, `New ${first?.studio.className ?? ''}`, `${planned.length} new instances`);
  const { runId, problem } = await writePlan(plan, title, context);
  if (problem !== undefined) for (const item of planned) settle(item, { outcome: 'failed', reason: problem });
  return runId;
}
