/**
 * A live session with our own plugin, on the command stream (mirrors `studio-plugin/src/core/live`). Every message says what it changes
 * and what that was before; whoever holds something else does not apply it and says so, so nothing depends on time or order.
 * Tolerant about unknown keys.
 */
import * as z from 'zod';
import { WireVariant } from '../values.ts';
import { mapOf } from './luau-tables.ts';
import type { PatchMessage } from './messages.ts';
import { AppliedItem } from './stream.ts';

/** What our plugin announces when it can hold a live session. */
export const liveCapability = 'live';

// --- bridge → plugin -----------------------------------------------------------------------------------------------------------

/**
 * Starts, changes or ends the live session. `isFresh`: what the plugin knows of the tree no longer helps, so it reads it again. `start`:
 * a number of its own, which the answer repeats, so that one to an earlier start counts for nothing.
 */
export type LiveStart = {
  readonly type: 'live';
  readonly mode: 'off' | 'diskToStudio' | 'twoWay';
  readonly isFresh: boolean;
  readonly start: number;
};
/** The tree has changed; answered by `liveApplied` with that cursor. */
export type LivePatch = { readonly type: 'livePatch'; readonly cursor: number; readonly message: PatchMessage };
/** What became of the edits of `seq`, in their order. */
export type LiveWritten = {
  readonly type: 'liveWritten';
  readonly seq: number;
  readonly results: readonly { readonly id: string; readonly ok: boolean; readonly reason?: string }[];
};
export type LiveToPlugin = LiveStart | LivePatch | LiveWritten;

// --- plugin → bridge -----------------------------------------------------------------------------------------------------------

/** The plugin knows the tree as of `cursor`. `undecided`: instances that differ, and whose difference nobody has decided about. */
const LiveReady = z.object({
  type: z.literal('liveReady'),
  cursor: z.number(),
  undecided: z.number().default(0),
  start: z.number().optional(),
});

/** One result per instance of the patch. */
const LiveApplied = z.object({
  type: z.literal('liveApplied'),
  cursor: z.number(),
  results: z.array(AppliedItem),
});

/** What was edited in Studio, with what the plugin knows the tree to hold of it. `baseHash`: of that Source. */
export const LiveEdited = z.object({
  id: z.string(),
  source: z.string().optional(),
  baseHash: z.string().optional(),
  properties: mapOf(WireVariant).default({}),
  base: mapOf(WireVariant).default({}),
});
export type LiveEdited = z.infer<typeof LiveEdited>;
/** Answered by `liveWritten`; the next one comes after that. */
const LiveEdit = z.object({ type: z.literal('liveEdit'), seq: z.number(), edits: z.array(LiveEdited) });

/** Studio has something that a live session does not carry: instances that were made, removed, renamed or moved. */
const LiveNeedsSync = z.object({
  type: z.literal('liveNeedsSync'),
  reason: z.string(),
  start: z.number().optional(),
});

/** There is no live session, because the tree could not be read or matched. */
const LiveFailed = z.object({
  type: z.literal('liveFailed'),
  message: z.string(),
  start: z.number().optional(),
});

export const LiveFromPlugin = z.discriminatedUnion('type', [
  LiveReady,
  LiveApplied,
  LiveEdit,
  LiveNeedsSync,
  LiveFailed,
]);
export type LiveFromPlugin = z.infer<typeof LiveFromPlugin>;
