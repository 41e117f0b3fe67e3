import { AppError } from '../base/errors.ts';
import type { PausableWork } from '../base/time-slice.ts';
import { MAX_CHANGES, MAX_LISTED_CHILDREN } from '../protocol/limits.ts';
import type {
  Applied,
  AppliedItem,
  Compared,
  FromPlugin,
  InstancePart,
  Instances,
  StudioChange,
  StudioInstance,
} from '../protocol/studio/stream.ts';
import type { Listed, PlaceInstance } from '../protocol/studio/explorer.ts';

/** A list that arrives in several messages, because one message of that size would block both sides. */
export class PartList<I> {
  readonly items: I[] = [];
  readonly #max: number;
  readonly #tooMany: string;
  #messageCount = 0;

  /** @param tooMany the reason of the error */
  constructor(max: number, tooMany: string) {
    this.#max = max;
    this.#tooMany = tooMany;
  }

  /** @throws AppError STUDIO_FAILED if there are more than `max` items */
  add(items: readonly I[]): void {
    if (this.items.length + items.length > this.#max)
      throw new AppError('STUDIO_FAILED', { reason: this.#tooMany, code: 'too_large' });
    for (const item of items) this.items.push(item);
    this.#messageCount += 1;
  }

  /** @param partCount as the last message reports it; older plugins do not. @throws AppError STUDIO_FAILED if it is another number */
  expectAll(partCount: number | undefined): void {
    if (partCount === undefined || partCount === this.#messageCount) return;
    const reason = `${this.#messageCount} of ${partCount} parts of the reply arrived; try again`;
    throw new AppError('STUDIO_FAILED', { reason, code: 'engine' });
  }
}

/** The messages that arrive before a reply and belong to it. */
export interface ReplyParts<R> {
  /** False if the message is not one of them. @throws AppError STUDIO_FAILED if there are too many */
  take(message: FromPlugin): boolean;
  /** The whole reply. @throws AppError STUDIO_FAILED if a part is missing */
  join(reply: R): PausableWork<R>;
}

function replyParts<T extends FromPlugin['type'], I, R extends { readonly partCount?: number | undefined }>(
  type: T,
  list: PartList<I>,
  itemsOf: (message: Extract<FromPlugin, { readonly type: T }>) => readonly I[],
  join: (reply: R, items: readonly I[]) => PausableWork<R>,
): ReplyParts<R> {
  const isPart = (message: FromPlugin): message is Extract<FromPlugin, { readonly type: T }> => message.type === type;
  return {
    take(message) {
      if (!isPart(message)) return false;
      list.add(itemsOf(message));
      return true;
    },
    *join(reply) {
      list.expectAll(reply.partCount);
      return list.items.length === 0 ? reply : yield* join(reply, list.items);
    },
  };
}

export const partsOfCompared = (): ReplyParts<Compared> =>
  replyParts(
    'changes',
    new PartList<StudioChange>(MAX_CHANGES, tooManyChanges),
    message => message.changes,
    function* (reply, changes) {
      yield;
      return { ...reply, changes: changes.concat(reply.changes) };
    },
  );

export const partsOfListed = (): ReplyParts<Listed> =>
  replyParts(
    'listedPart',
    new PartList<PlaceInstance>(MAX_LISTED_CHILDREN, tooManyChildren),
    message => message.instances,
    function* (reply, instances) {
      yield;
      return { ...reply, instances: instances.concat(reply.instances) };
    },
  );

export const partsOfApplied = (): ReplyParts<Applied> =>
  replyParts(
    'appliedPart',
    new PartList<AppliedItem>(MAX_CHANGES, tooManyChanges),
    message => message.results,
    function* (reply, results) {
      yield;
      return { ...reply, results: results.concat(reply.results) };
    },
  );

export const partsOfInstances = (): ReplyParts<Instances> =>
  replyParts(
    'instancesPart',
    newInstanceParts(),
    message => message.parts,
    function* (reply, parts) {
      yield* addParts(reply.instances, parts);
      return reply;
    },
  );

/** The descendants of instances that arrive before them. */
export const newInstanceParts = (): PartList<InstancePart> => new PartList(MAX_CHANGES, tooManyInstances);

const tooManyChildren = `more than ${MAX_LISTED_CHILDREN} instances have the same parent`;
const tooManyInstances = `more than ${MAX_CHANGES} instances are below one instance; sync fewer at a time`;
const tooManyChanges = `more than ${MAX_CHANGES} instances differ; sync fewer at a time, for example by ignoring folders in the project file`;

/** Adds each part to its parent, which is one of the instances or an earlier part. @throws AppError STUDIO_FAILED if it is neither */
export function* addParts(instances: readonly StudioInstance[], parts: readonly InstancePart[]): PausableWork<void> {
  if (parts.length === 0) return;
  const byId = new Map<string, StudioInstance>();
  const open = [...instances];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield;
    byId.set(next.id, next);
    open.push(...next.children);
  }
  for (const { parentId, instance } of parts) {
    yield;
    const parent = byId.get(parentId);
    if (parent === undefined)
      throw new AppError('STUDIO_FAILED', { reason: 'the reply lacks a parent', code: 'engine' });
    parent.children.push(instance);
    byId.set(instance.id, instance);
  }
}
