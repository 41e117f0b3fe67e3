import { namedPath } from '../../protocol/path-name.ts';
import { instancePath } from '../../project/tree/instance-path.ts';
import type { Ref } from '../../base/brand.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { PullWriter, type WrittenPull } from './pull-writer.ts';
import { shortName, type WriteContext, type WriteOutcome } from './write-context.ts';
import { journalItem } from './write-journal.ts';

/** A requested removal, by its position in the request. */
type Removal = readonly [index: number, raw: unknown];

/**
 * Deletes the files of instances that were removed in Studio. Removals are planned and written together; one that is above or below an
 * earlier one follows in the next round, because its outcome depends on that one.
 */
export async function applyRemovals(
  removed: readonly unknown[],
  context: WriteContext,
  slice: TimeSlice,
): Promise<readonly WriteOutcome[]> {
  const outcomes = new Map<number, WriteOutcome>();
  const writer = new PullWriter(context, slice);
  let open: readonly Removal[] = Array.from(removed.entries());
  while (open.length > 0) {
    const round = new RemovalRound(context);
    const chosen = new Map<WrittenPull, readonly [number, string]>();
    const rest: Removal[] = [];
    for (const [index, raw] of open) {
      await slice.yieldToEventLoop();
      const next = round.choose(raw);
      if (next === 'later') rest.push([index, raw]);
      else if ('outcome' in next) outcomes.set(index, next);
      else chosen.set(next, [index, next.item.path]);
    }
    const results = await writer.write(Array.from(chosen.keys()));
    for (const [pull, [index, what]] of chosen)
      outcomes.set(index, { what, ...(results.get(pull) ?? { outcome: 'failed', reason: reasonOf('not_planned') }) });
    open = rest;
  }
  await writer.recordRefused();
  return removed.map((raw, index) => outcomes.get(index) ?? { what: shortName(raw), outcome: 'same' });
}

/** Chooses removals that do not depend on each other. */
class RemovalRound {
  readonly #context: WriteContext;
  /** Removals of this round and of the next one. */
  readonly #known = new Set<Ref>();
  readonly #above = new Set<Ref>();
  /** Instances above those that are postponed or whose files are not in a model. */
  readonly #aboveOthers = new Set<Ref>();

  constructor(context: WriteContext) {
    this.#context = context;
  }

  choose(raw: unknown): WriteOutcome | WrittenPull | 'later' {
    const { session, feed, group } = this.#context;
    const id = typeof raw === 'string' ? parseRef(raw) : undefined;
    const instance = id === undefined ? undefined : session.get(id);
    if (instance === undefined) return { what: shortName(raw), outcome: 'same' };
    const what = instancePath(session, instance.id);
    // Rojo's server ignores removals, so its users do not expect files to be deleted.
    if (group === 'rojo') return { what, outcome: 'skipped', reason: reasonOf('delete_to_match') };
    if (this.#isRelated(instance)) {
      this.#note(instance, false);
      return 'later';
    }
    const below = Array.from(session.descendants(instance.id));
    const conflict = (): Reason | undefined => {
      for (const one of session.descendants(instance.id))
        if (feed.isUnseen(group, one.id)) return reasonOf('unseen_in_studio');
      return undefined;
    };
    const reason = conflict();
    if (reason !== undefined) return { what, outcome: 'conflict', reason };
    this.#note(instance, isInModel(instance));
    return {
      request: { kind: 'delete', id: instance.id },
      item: journalItem(
        instance.id,
        namedPath(what, instance.name),
        'Add',
        session.fsPathOf(instance.id),
        instance.className,
        null,
      ),
      inStudio: below.map(one => [one.id, undefined]),
      conflict,
    };
  }

  /** Whether an earlier removal is of the same instance or of one above or below it. */
  #isRelated(instance: Instance): boolean {
    if (this.#aboveOthers.has(instance.id)) return true;
    // A model can lose an instance and then one above it at once.
    if (this.#above.has(instance.id) && !isInModel(instance)) return true;
    for (let at: Instance | undefined = instance; at !== undefined; at = this.#context.session.get(at.parent))
      if (this.#known.has(at.id)) return true;
    return false;
  }

  #note(instance: Instance, isIndependent: boolean): void {
    const { session } = this.#context;
    this.#known.add(instance.id);
    const above = isIndependent ? this.#above : this.#aboveOthers;
    for (let at = session.get(instance.parent); at !== undefined && !above.has(at.id); at = session.get(at.parent))
      above.add(at.id);
  }
}

/** Whether the instance is inside a model file, not at its top. */
const isInModel = ({ metadata }: Instance): boolean => metadata.source === undefined;
