import * as z from 'zod';
import type { PausableWork } from '../../base/time-slice.ts';
import { FoundInstance, PlaceInstance } from './explorer.ts';
import { LiveEdited, LiveFromPlugin, LiveStructureChange, MissedScript } from './live.ts';
import { expectFewValues, firstProblem, InvalidItem, OversizedMessage, readItem, readTree } from './read-items.ts';
import { ReviewFromPlugin } from './review.ts';
import { AppliedItem, FromPlugin, InstancePart, StudioChange, StudioInstance, StudioVerdict } from './stream.ts';
import { UntrackedProperty } from '../sync-result.ts';

/** Validates an item of a list after a pause. `at` names it in a problem. @throws InvalidItem, OversizedMessage */
type ReadListed = (raw: unknown, at: string) => PausableWork<unknown>;

const each = (schema: z.ZodType): ReadListed =>
  function* (raw, at) {
    yield;
    return readItem(schema, raw, at);
  };
const text = each(z.string());
const instance: ReadListed = function* (raw, at) {
  yield;
  return yield* readTree(StudioInstance, raw, at);
};
const structureChange: ReadListed = function* (raw, at) {
  yield;
  if (typeof raw !== 'object' || raw === null || !('instance' in raw)) return readItem(LiveStructureChange, raw, at);
  const created = yield* readTree(StudioInstance, raw.instance, `${at}.instance`);
  return {
    ...readItem(LiveStructureChange, { ...raw, instance: { ...created, children: [] } }, at),
    instance: created,
  };
};

/** The members of a message that can be long lists. */
const longLists: Readonly<Record<string, Readonly<Record<string, ReadListed>>>> = {
  changes: { changes: each(StudioChange) },
  compared: { changes: each(StudioChange), overrides: each(StudioVerdict) },
  untracked: { properties: each(UntrackedProperty) },
  instances: { instances: instance, missing: text, left: text },
  instancesPart: { parts: each(InstancePart) },
  appliedPart: { results: each(AppliedItem) },
  applied: { results: each(AppliedItem) },
  listedPart: { instances: each(PlaceInstance) },
  listed: { instances: each(PlaceInstance) },
  found: { hits: each(FoundInstance) },
  childrenChanged: { ids: text },
  liveReady: { missed: each(MissedScript), applied: text },
  liveApplied: { results: each(AppliedItem) },
  liveInstancesPart: { parts: each(InstancePart) },
  liveInstances: { instances: instance, left: text },
  liveEdit: { edits: each(LiveEdited) },
  liveStructure: { changes: structureChange },
};

/** A message of the plugin, or why it is invalid, in one line. */
export type ReadMessage =
  | { readonly message: FromPlugin }
  | { readonly live: LiveFromPlugin }
  | { readonly review: ReviewFromPlugin }
  | {
      readonly problem: string;
      readonly isOversized?: boolean;
      readonly of?: MessageHead;
    };

/** The type of a message, and the command or change that it belongs to. */
export type MessageHead = z.infer<typeof MessageHead>;

/** Validates a message of the plugin with pauses between the items of its lists, and stops at the first invalid item. */
export function* readMessage(raw: unknown): PausableWork<ReadMessage> {
  try {
    if (raw instanceof OversizedMessage) throw raw;
    return yield* readParts(raw);
  } catch (error) {
    if (error instanceof InvalidItem) return { problem: error.message, ...nameOf(raw) };
    if (error instanceof OversizedMessage)
      return {
        problem: tooLarge(error),
        isOversized: true,
        ...nameOf(raw instanceof OversizedMessage ? raw.head : raw),
      };
    throw error;
  }
}

const MessageHead = z.object({ type: z.string(), requestId: z.string().optional(), seq: z.number().optional() });

function nameOf(raw: unknown): Pick<Extract<ReadMessage, { problem: string }>, 'of'> {
  const named = MessageHead.safeParse(raw);
  return named.success ? { of: named.data } : {};
}

/** @throws InvalidItem, OversizedMessage */
function* readParts(raw: unknown): PausableWork<ReadMessage> {
  const short: Record<string, unknown> = typeof raw === 'object' && raw !== null ? { ...raw } : {};
  const { type } = short;
  const readers = typeof type === 'string' && Object.hasOwn(longLists, type) ? longLists[type] : undefined;
  const lists: Record<string, unknown[]> = {};
  for (const [member, readListed] of Object.entries(readers ?? {})) {
    const items = short[member];
    if (!Array.isArray(items)) continue;
    const read: unknown[] = (lists[member] = []);
    for (const item of items as readonly unknown[]) {
      read.push(yield* readListed(item, `${member}[${read.length}]`));
    }
    short[member] = [];
  }
  expectFewValues(short);
  // The items were validated above, each by the schema that the list has in its message.
  const live = LiveFromPlugin.safeParse(short);
  if (live.success) return { live: { ...live.data, ...lists } as LiveFromPlugin };
  const review = ReviewFromPlugin.safeParse(short);
  if (review.success) return { review: review.data };
  const parsed = FromPlugin.safeParse(short);
  return parsed.success
    ? { message: { ...parsed.data, ...lists } as FromPlugin }
    : { problem: firstProblem(parsed.error), ...nameOf(raw) };
}

export const tooLarge = ({ limit }: OversizedMessage): string =>
  `the reply is too large: one message can have ${limit}; sync fewer changes at a time`;
