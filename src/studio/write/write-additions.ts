import type { Ref } from '../../base/brand.ts';
import { AddedInstance } from '../../protocol/studio/requests.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { pathOf, type WriteContext, type WriteOutcome } from './write-context.ts';
import { carryOutPull } from './write-items.ts';
import { journalItem } from './write-journal.ts';
import { addedToStudioInstance, leftOut, readValues, withoutKnown } from './written-instance.ts';

export interface Additions {
  readonly outcomes: readonly WriteOutcome[];
  /** The ids that the plugin made up, and those of the tree. */
  readonly created: ReadonlyMap<string, Ref>;
}

/**
 * Makes files of instances that only Studio has. One that says nothing new of a child on disk stands for that one, so a bare container
 * does, because in a project of scripts the plugin does not know those (section 3.12).
 */
export async function carryOutAdditions(
  added: Readonly<Record<string, unknown>>,
  context: WriteContext,
): Promise<Additions> {
  const outcomes: WriteOutcome[] = [];
  const created = new Map<string, Ref>();
  let open: [string, AddedInstance][] = [];
  for (const [key, raw] of Object.entries(added)) {
    const parsed = AddedInstance.safeParse(raw);
    if (parsed.success) open.push([key, parsed.data]);
    else outcomes.push({ what: key, outcome: 'failed', reason: 'it has not the form of an instance' });
  }
  // A parent may stand further down in the request.
  while (open.length > 0) {
    const ready = open.filter(([, one]) => !open.some(([key]) => key === one.parent));
    const round = ready.length > 0 ? ready : open;
    open = open.filter(entry => !round.includes(entry));
    for (const [key, one] of round) {
      const parent = one.parent === undefined ? undefined : (created.get(one.parent) ?? parseRef(one.parent));
      const done = await carryOutAddition(key, one, parent, context);
      outcomes.push(...done.outcomes);
      if (done.id !== undefined) created.set(key, done.id);
    }
  }
  return { outcomes, created };
}

interface Done {
  readonly outcomes: readonly WriteOutcome[];
  readonly id: Ref | undefined;
}

async function carryOutAddition(
  key: string,
  added: AddedInstance,
  parentId: Ref | undefined,
  context: WriteContext,
): Promise<Done> {
  const { session } = context;
  const parent = parentId === undefined ? undefined : session.get(parentId);
  if (parent === undefined) return failed(added.name, 'its parent is not in the project');
  const what = `${pathOf(session, parent.id)}/${added.name}`;
  const twins = childrenNamed(session, parent, added.name);
  const [twin] = twins;
  if (twins.length > 1) return failed(what, 'its parent has several children of that name on disk');
  if (twin === undefined) return create(key, added, parent, context);
  if (twin.className !== added.className)
    return failed(what, `its parent has a ${twin.className} of that name on disk`);
  return merge(twin, added, context);
}

const failed = (what: string, reason: string): Done => ({
  outcomes: [{ what, outcome: 'failed', reason }],
  id: undefined,
});

const childrenNamed = (session: ProjectSession, parent: Instance, name: string): readonly Instance[] =>
  parent.children.map(id => session.get(id)).filter(child => child !== undefined && child.name === name) as Instance[];

/** One of that name is on disk: the same one said again, or another one that only shares the name, whose files are not its own. */
async function merge(twin: Instance, added: AddedInstance, context: WriteContext): Promise<Done> {
  const what = pathOf(context.session, twin.id);
  const written = readValues(added.className, added.properties);
  if (!written.ok) return failed(what, written.error);
  const { values } = withoutKnown(twin, written.value, context.reflection);
  if (values.size > 0) {
    const studio = addedToStudioInstance(twin.id, added);
    const item = journalItem(twin.id, what, 'Remove', context.session.fsPathOf(twin.id), added.className, null);
    await context.kept.keepRefused({ ...item, studio: studio.ok ? studio.value : null });
    const reason =
      'its parent has another one of that name on disk; rename one of the two, or compare them with a sync';
    return { outcomes: [{ what, outcome: 'conflict', reason }], id: twin.id };
  }
  const outcomes: WriteOutcome[] = [{ what, outcome: 'same' }];
  for (const child of added.children) outcomes.push(...(await carryOutAddition('', child, twin.id, context)).outcomes);
  return { outcomes, id: twin.id };
}

async function create(key: string, added: AddedInstance, parent: Instance, context: WriteContext): Promise<Done> {
  const { session, feed, group, log } = context;
  const what = `${pathOf(session, parent.id)}/${added.name}`;
  const read = addedToStudioInstance(key, added);
  if (!read.ok) return failed(what, read.error);
  const studio = read.value;
  const item = journalItem(key, what, 'Remove', null, added.className, studio);
  const isIt = (one: Instance): boolean =>
    one.parent === parent.id && one.name === added.name && one.className === added.className;
  // Told of it under our id, the plugin would make a second one; only with scripts alone does it look for its own first.
  using _ = session.info.syncScriptsOnly ? undefined : feed.assumeNew(group, isIt);
  const done = await carryOutPull({ kind: 'create', parentId: parent.id, studio }, item, context);
  const missing = done.outcome === 'written' ? leftOut(added) : [];
  if (missing.length > 0)
    log.warn('the plugin did not send everything; the files say nothing of it', { what, missing: missing.join(', ') });
  const now = session.get(parent.id);
  const made = now === undefined ? undefined : childrenNamed(session, now, added.name).find(isIt);
  if (done.outcome === 'written' && made === undefined)
    return failed(what, 'its files were written, but the project does not read them');
  return { outcomes: [{ what, ...done }], id: made?.id };
}
