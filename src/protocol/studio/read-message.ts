import * as z from 'zod';
import type { PausableWork } from '../../base/time-slice.ts';
import { FoundInstance, PlaceInstance } from './explorer.ts';
import { LiveEdited, LiveFromPlugin } from './live.ts';
import { expectFewValues, firstProblem, InvalidItem, OversizedMessage, readItem, readTree } from './read-items.ts';
import { ReviewFromPlugin } from './review.ts';
import { AppliedItem, FromPlugin, StudioChange, StudioInstance, StudioVerdict } from './stream.ts';
import { UntrackedProperty } from '../sync.ts';

/** The members of a message that can be long lists. */
const longLists: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  changes: { changes: StudioChange },
  compared: { changes: StudioChange, overrides: StudioVerdict },
  untracked: { properties: UntrackedProperty },
  instances: { instances: StudioInstance, missing: z.string(), left: z.string() },
  applied: { results: AppliedItem },
  listedPart: { instances: PlaceInstance },
  listed: { instances: PlaceInstance },
  found: { hits: FoundInstance },
  childrenChanged: { ids: z.string() },
  liveApplied: { results: AppliedItem },
  liveInstances: { instances: StudioInstance, left: z.string() },
  liveEdit: { edits: LiveEdited },
};

/** A message of the plugin, or why it is invalid, in one line. */
export type ReadMessage =
  | { readonly message: FromPlugin }
  | { readonly live: LiveFromPlugin }
  | { readonly review: ReviewFromPlugin }
  | { readonly problem: string; readonly isOversized?: boolean };

/** Validates a message of the plugin with pauses between the items of its lists, and stops at the first invalid item. */
export function* readMessage(raw: unknown): PausableWork<ReadMessage> {
  try {
    if (raw instanceof OversizedMessage) throw raw;
    return yield* readParts(raw);
  } catch (error) {
    if (error instanceof InvalidItem) return { problem: error.message };
    if (error instanceof OversizedMessage) return { problem: tooLarge(error), isOversized: true };
    throw error;
  }
}

/** @throws InvalidItem, OversizedMessage */
function* readParts(raw: unknown): PausableWork<ReadMessage> {
  const short: Record<string, unknown> = typeof raw === 'object' && raw !== null ? { ...raw } : {};
  const { type } = short;
  const schemas = typeof type === 'string' && Object.hasOwn(longLists, type) ? longLists[type] : undefined;
  const lists: Record<string, unknown[]> = {};
  for (const [member, schema] of Object.entries(schemas ?? {})) {
    const items = short[member];
    if (!Array.isArray(items)) continue;
    const read: unknown[] = (lists[member] = []);
    for (const item of items as readonly unknown[]) {
      const at = `${member}[${read.length}]`;
      read.push(schema === StudioInstance ? yield* readTree(StudioInstance, item, at) : readItem(schema, item, at));
      yield;
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
    : { problem: firstProblem(parsed.error) };
}

export const tooLarge = ({ limit }: OversizedMessage): string =>
  `the reply is too large: one message can have ${limit}; sync fewer changes at a time`;
