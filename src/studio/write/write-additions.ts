import { namedPath } from '../../protocol/path-name.ts';
import { instancePath } from '../../project/tree/instance-path.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { type PausableWork, runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import { InvalidItem, OversizedMessage, readTree } from '../../protocol/studio/read-items.ts';
import { AddedInstance } from '../../protocol/studio/requests.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { PullsPlan } from '../../project/project-session.ts';
import { writeEdits } from '../../project/writeback/write-edits.ts';
import { ChildrenByName } from './children-by-name.ts';
import {
  type AdditionsBelow,
  allBelow,
  groupByParent,
  type Nest,
  nestedBelow,
  nestedInstance,
  type PendingAddition,
} from './nest-additions.ts';
import { readWritten, shortName, type WriteContext, type WriteOutcome } from './write-context.ts';
import { journalItem, type WrittenItem } from './write-journal.ts';
import {
  addedToStudioInstance,
  MAX_OMITTED,
  omittedProperties,
  parseWrittenValues,
  selectChanged,
} from './written-instance.ts';

export interface Additions {
  readonly outcomes: readonly WriteOutcome[];
  /** Maps the ids that the plugin invented to ids of the tree. */
  readonly created: ReadonlyMap<string, Ref>;
}

/** Each round plans and writes what is left once, so that the work grows with the number of additions only. */
const MAX_ROUNDS = 40;

/**
 * Creates files for instances that exist only in Studio. An added instance without new values is treated as the existing child with the same
 * name: in a project of scripts the plugin does not know the containers on disk. All additions are planned and written together, each one
 * below its added parent. The rest follows in further rounds: a second instance of one name, and what is below a refused instance.
 */
export async function applyAdditions(
  added: Readonly<Record<string, unknown>>,
  context: WriteContext,
  slice: TimeSlice,
): Promise<Additions> {
  const writer = new AdditionsWriter(context, slice);
  await writer.read(added);
  for (let round = 0; round < MAX_ROUNDS && (await writer.writeRound()); round += 1);
  await writer.failRest();
  return { outcomes: writer.outcomes, created: writer.created };
}

/** A new instance of one round. */
interface Creation {
  readonly nest: Nest;
  readonly parentId: Ref;
  readonly item: WrittenItem;
}

class AdditionsWriter {
  readonly outcomes: WriteOutcome[] = [];
  readonly created = new Map<string, Ref>();
  readonly #context: WriteContext;
  readonly #slice: TimeSlice;
  readonly #pending = new Set<PendingAddition>();
  readonly #omitted: string[] = [];
  /** Items to record as not written. */
  #refused: WrittenItem[] = [];
  /** Why the rest was not written. */
  #lastProblem: Reason = reasonOf('parent_not_in_project');

  constructor(context: WriteContext, slice: TimeSlice) {
    this.#context = context;
    this.#slice = slice;
  }

  async read(added: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [key, raw] of Object.entries(added)) {
      const read = await readAdded(key, raw, this.#slice);
      if (read === undefined) this.#settle(shortName(key), reasonOf('instance_invalid'));
      else this.#pending.add({ key, parent: read.parent, added: read, isAlone: false });
      await this.#slice.yieldToEventLoop();
    }
  }

  /** @returns whether another round can write more */
  async writeRound(): Promise<boolean> {
    const { roots, below } = await runInSlices(groupByParent(this.#pending), this.#slice);
    const planned = new Map<Ref, Set<string>>();
    const creations = await runInSlices(this.#chooseCreations(roots, below, planned), this.#slice);
    if (creations.length > 0) await this.#create(creations, planned, below);
    await this.#context.writeJournal.recordRefused(this.#refused);
    this.#refused = [];
    return roots.length > 0 && this.#pending.size > 0;
  }

  /** Reports what no round wrote. Additions whose parents form a circle are among them. */
  async failRest(): Promise<void> {
    for (const { added } of this.#pending) {
      this.#settle(shortName(added.name), this.#lastProblem);
      await this.#slice.yieldToEventLoop();
    }
    const [first] = this.#omitted;
    if (first !== undefined)
      this.#context.log.warn('the plugin did not send all properties, so the files lack some', {
        missing: this.#omitted.join(', '),
      });
  }

  /** Settles additions that cannot be created, and returns the others. @param planned is filled with their names by parent */
  *#chooseCreations(
    roots: readonly PendingAddition[],
    below: AdditionsBelow,
    planned: Map<Ref, Set<string>>,
  ): PausableWork<readonly Creation[]> {
    const { session } = this.#context;
    const children = new ChildrenByName(session);
    const creations: Creation[] = [];
    for (const addition of roots) {
      yield;
      const { added, key } = addition;
      const parent = this.#parentOf(addition);
      if (parent === undefined) {
        yield* this.#fail(addition, below, shortName(added.name), reasonOf('parent_not_in_project'));
        continue;
      }
      const what = this.#pathOf(parent.id, added);
      const [existing, another] = yield* children.named(parent.id, added.name);
      if (another !== undefined) yield* this.#fail(addition, below, what, reasonOf('name_taken_twice'));
      else if (existing !== undefined && existing.className !== added.className)
        yield* this.#fail(addition, below, what, reasonOf('name_taken_by', existing.className));
      else if (existing !== undefined) yield* this.#matchExisting(addition, existing);
      else {
        const names = planned.get(parent.id) ?? new Set();
        planned.set(parent.id, names);
        // A second one of that name is compared with the first one in the next round.
        if (names.has(added.name)) continue;
        const nest = yield* this.#nest(addition, below, what, 1);
        if (nest === undefined) continue;
        names.add(added.name);
        const studio = yield* nestedInstance(nest);
        const item = journalItem(key ?? '', namedPath(what, added.name), 'Remove', null, added.className, studio);
        creations.push({ nest, parentId: parent.id, item });
      }
    }
    return creations;
  }

  /** Nests the additions below one. Fails those with invalid values, and returns `undefined` if it is the addition itself. */
  *#nest(
    addition: PendingAddition,
    below: AdditionsBelow,
    what: string,
    level: number,
  ): PausableWork<Nest | undefined> {
    yield;
    const { key, added } = addition;
    const studio = yield* addedToStudioInstance(key ?? '', added);
    if (!studio.ok) {
      yield* this.#fail(addition, below, what, studio.error);
      return undefined;
    }
    const children: Nest[] = [];
    for (const child of nestedBelow(addition, below, level)) {
      const nest = yield* this.#nest(child, below, `${what}/${shortName(child.added.name)}`, level + 1);
      if (nest !== undefined) children.push(nest);
    }
    return { addition, studio: studio.value, children };
  }

  #parentOf({ parent }: PendingAddition): Instance | undefined {
    const id = parent === undefined ? undefined : (this.created.get(parent) ?? parseRef(parent));
    return id === undefined ? undefined : this.#context.session.get(id);
  }

  #pathOf(parentId: Ref, { name }: AddedInstance): string {
    const parent = instancePath(this.#context.session, parentId);
    return parent === '' ? shortName(name) : `${parent}/${shortName(name)}`;
  }

  #settle(what: string, reason: Reason): void {
    this.outcomes.push({ what, outcome: 'failed', reason });
  }

  /** Fails an addition and all below it, whose parent is then missing. */
  *#fail(addition: PendingAddition, below: AdditionsBelow, what: string, reason: Reason): PausableWork<void> {
    this.#settle(what, reason);
    this.#pending.delete(addition);
    for (const lost of yield* allBelow(addition, below)) {
      this.#settle(shortName(lost.added.name), reasonOf('parent_not_in_project'));
      this.#pending.delete(lost);
    }
  }

  /** Handles a name that exists on disk: the same instance again, or a different one, whose files must not be overwritten. */
  *#matchExisting(addition: PendingAddition, existing: Instance): PausableWork<void> {
    const { session, reflection } = this.#context;
    const { key, added } = addition;
    this.#pending.delete(addition);
    const what = instancePath(session, existing.id);
    const written = parseWrittenValues(added.className, added.properties);
    if (!written.ok) return this.#settle(what, written.error);
    if (key !== undefined) this.created.set(key, existing.id);
    if (selectChanged(existing, written.value, reflection).values.size > 0) {
      const studio = yield* addedToStudioInstance(existing.id, added);
      const item = journalItem(
        existing.id,
        namedPath(what, added.name),
        'Remove',
        session.fsPathOf(existing.id),
        added.className,
        null,
      );
      this.#refused.push({ ...item, studio: studio.ok ? studio.value : null });
      this.outcomes.push({ what, outcome: 'conflict', reason: reasonOf('name_taken') });
      return;
    }
    this.outcomes.push({ what, outcome: 'same' });
    for (const child of added.children)
      this.#pending.add({ key: undefined, parent: existing.id, added: child, isAlone: false });
  }

  async #create(
    creations: readonly Creation[],
    planned: ReadonlyMap<Ref, ReadonlySet<string>>,
    below: AdditionsBelow,
  ): Promise<void> {
    const { session, feed, group, signal } = this.#context;
    try {
      const requests = creations.flatMap(({ parentId, item: { studio } }) =>
        studio === null ? [] : [{ kind: 'create' as const, parentId, studio }],
      );
      const plan = await session.planPulls(requests, signal);
      // An instance of one of the names may have been read from disk meanwhile. The next round compares with it.
      if (await runInSlices(this.#hasTakenName(creations), this.#slice)) return;
      // A plugin that gets the instance under the id of the tree creates a duplicate. Only in a project of scripts does it look for an existing
      // one first.
      using _ = session.info.syncScriptsOnly
        ? undefined
        : feed.assumeNew(group, ({ parent, name }) => planned.get(parent)?.has(name) === true);
      const writable: (readonly [Creation, ReadonlySet<ProjectPath>])[] = [];
      for (const [index, creation] of creations.entries()) {
        const pull = plan.pulls[index];
        if (pull?.ok === true) writable.push([creation, pull.paths]);
        else await runInSlices(this.#refuse(creation, pull?.reason ?? reasonOf('no_pull'), below), this.#slice);
      }
      await this.#write(writable, plan, below);
    } catch (error) {
      signal.throwIfAborted();
      for (const creation of creations)
        if (this.#pending.has(creation.nest.addition))
          await runInSlices(this.#failCreation(creation, failureReason(error), below), this.#slice);
    }
  }

  *#hasTakenName(creations: readonly Creation[]): PausableWork<boolean> {
    const children = new ChildrenByName(this.#context.session);
    for (const { nest, parentId } of creations) {
      yield;
      if ((yield* children.named(parentId, nest.addition.added.name)).length > 0) return true;
    }
    return false;
  }

  /** An instance that cannot be written with those below it may be writable without them. */
  *#refuse(creation: Creation, reason: Reason, below: AdditionsBelow): PausableWork<void> {
    this.#lastProblem = reason;
    if (creation.nest.children.length > 0) creation.nest.addition.isAlone = true;
    else yield* this.#failCreation(creation, reason, below);
  }

  *#failCreation({ nest, item }: Creation, reason: Reason, below: AdditionsBelow): PausableWork<void> {
    this.#refused.push(item);
    yield* this.#fail(nest.addition, below, item.path, reason);
  }

  async #write(
    writable: readonly (readonly [Creation, ReadonlySet<ProjectPath>])[],
    { edits }: PullsPlan,
    below: AdditionsBelow,
  ): Promise<void> {
    const { session, files, writeJournal } = this.#context;
    const recordFailure = await writeJournal.recordFiles(
      writable.map(([{ item }, paths]) => [item, paths]),
      edits,
    );
    const { done, problem } = await writeEdits(edits, files);
    const finished = new Set(done);
    if (problem !== undefined) {
      const isOpen = (paths: ReadonlySet<ProjectPath>): boolean => Array.from(paths).some(path => !finished.has(path));
      const open = writable.flatMap(([{ item }, paths]) => (isOpen(paths) ? [[item.id, problem] as const] : []));
      await recordFailure(problem, done, new Map(open));
    }
    const places = done.length > 0 ? done : writable.flatMap(([{ parentId }]) => this.#filesOf(parentId));
    await readWritten(session, Array.from(new Set(places)));
    const failedPath = edits[done.length]?.path;
    const children = new ChildrenByName(session);
    for (const [creation, paths] of writable) {
      const { nest, parentId } = creation;
      const own = Array.from(paths).filter(path => finished.has(path)).length;
      if (problem === undefined || own === paths.size)
        await runInSlices(this.#settleNest(nest, parentId, children), this.#slice);
      else if (own > 0 || (failedPath !== undefined && paths.has(failedPath)))
        await runInSlices(this.#failCreation(creation, problem, below), this.#slice);
      else this.#lastProblem = problem;
      await this.#slice.yieldToEventLoop();
    }
  }

  #filesOf(id: Ref): readonly ProjectPath[] {
    return this.#context.session.get(id)?.metadata.relevantPaths ?? [];
  }

  *#settleNest({ addition, children }: Nest, parentId: Ref, tree: ChildrenByName): PausableWork<void> {
    const { key, added } = addition;
    this.#pending.delete(addition);
    const what = this.#pathOf(parentId, added);
    const sameName = yield* tree.named(parentId, added.name);
    const made = sameName.find(({ className }) => className === added.className);
    // Additions below it fail in the next round.
    if (made === undefined) return this.#settle(what, reasonOf('not_included'));
    if (key !== undefined) this.created.set(key, made.id);
    this.outcomes.push({ what, outcome: 'written' });
    if (this.#omitted.length < MAX_OMITTED) this.#omitted.push(...(yield* omittedProperties(added)));
    for (const child of children) yield* this.#settleNest(child, made.id, tree);
  }
}

async function readAdded(key: string, raw: unknown, slice: TimeSlice): Promise<AddedInstance | undefined> {
  try {
    return await runInSlices(readTree(AddedInstance, raw, key), slice);
  } catch (error) {
    if (error instanceof InvalidItem || error instanceof OversizedMessage) return undefined;
    throw error;
  }
}
