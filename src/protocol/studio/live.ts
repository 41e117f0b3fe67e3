/**
 * A live session with the Atlas Bridge plugin, on the command stream (mirrors `studio-plugin/src/core/live`). Every message contains the new
 * and the previous state. A receiver with a different previous state rejects the message, so correctness does not depend on time or order.
 * Unknown keys are ignored.
 */
import * as z from 'zod';
import { WireVariant } from '../values.ts';
import { mapOf } from './luau-tables.ts';
import { ReportedReason } from './reported-reason.ts';
import type { PatchMessage } from './messages.ts';
import { AppliedItem, InstancePart, PartCount, StudioInstance } from './stream.ts';

/** The capability that the Atlas Bridge plugin announces for live sessions. */
export const liveCapability = 'live';
/** The capability of a plugin that applies nothing at the start of a live session if the bridge sends what it missed. */
export const liveMissedCapability = 'liveMissed';

// --- bridge → plugin -----------------------------------------------------------------------------------------------------------

/**
 * Starts, changes or ends the live session. `isFresh`: the plugin discards its copy of the tree and reads it again. `start`: a unique number
 * that the answer repeats, so that an answer to an earlier start is ignored.
 */
export type LiveStart = {
  readonly type: 'live';
  readonly mode: 'off' | 'diskToStudio' | 'twoWay';
  readonly isFresh: boolean;
  readonly start: number;
  /**
   * The bridge sends the texts that changed on disk only since the last session, after it has recorded those of Studio. Otherwise the plugin
   * applies them at the start.
   */
  readonly sendsMissed?: true;
  /** The bridge also sends the instances that are new on disk since then. Otherwise a person decides about them. */
  readonly sendsNew?: true;
  /** Structural changes that the bridge writes to files. The plugin requests a sync for others, and an older plugin for all. */
  readonly takes?: readonly LiveStructureKind[];
};
/** Reports a change of the tree. The answer is `liveApplied` with the same cursor. */
export type LivePatch = {
  readonly type: 'livePatch';
  readonly cursor: number;
  readonly message: PatchMessage;
  /** More packets of the revision follow, and `cursor` is that of an earlier one. */
  readonly hasMore?: true;
};
/**
 * Reads what a patch is about to remove, before it is sent. The answer is `liveInstances` with the same cursor. Requires `readsRemoved`.
 * `maxBytes`: bytes of texts after which the reply names the remaining ids as `left`.
 */
export type LiveRead = {
  readonly type: 'liveRead';
  readonly cursor: number;
  readonly ids: readonly string[];
  readonly maxBytes: number;
  /** Sends most descendants as `liveInstancesPart` before the answer. An older plugin does not read 5,000 descendants or more. */
  readonly inParts: true;
};
/** The results of the edits of `seq`, in their order. */
export type LiveWritten = {
  readonly type: 'liveWritten';
  readonly seq: number;
  readonly results: readonly { readonly id: string; readonly ok: boolean }[];
};
export type LiveToPlugin = LiveStart | LivePatch | LiveRead | LiveWritten;

// --- plugin → bridge -----------------------------------------------------------------------------------------------------------

/** A script whose text changed on disk only, with the text that Studio has. */
export const MissedScript = z.object({ id: z.string(), source: z.string() });
/**
 * The plugin has the tree at `cursor`. `undecided`: number of differing instances without a decision. `missed`: the scripts whose
 * text changed on disk only since the last session, with the text that Studio has. `added`: the instances that are new on disk since then.
 * `reason`: why a person has to decide about one of `undecided`. `applied`: the same of an older plugin, which has applied
 * the text of disk. `readsRemoved`: the plugin answers `liveRead`.
 */
const LiveReady = z.object({
  type: z.literal('liveReady'),
  cursor: z.number(),
  undecided: z.number().default(0),
  missed: z.array(MissedScript).optional(),
  added: z.array(z.string()).optional(),
  reason: ReportedReason.optional(),
  applied: z.array(z.string()).optional(),
  readsRemoved: z.boolean().optional(),
  start: z.number().optional(),
});

/** One result per instance of the patch. */
const LiveApplied = z.object({
  type: z.literal('liveApplied'),
  cursor: z.number(),
  results: z.array(AppliedItem),
});

/** Some of the descendants of the instances of the next `liveInstances`, in the form of `instancesPart`. */
const LiveInstancesPart = z.object({
  type: z.literal('liveInstancesPart'),
  cursor: z.number(),
  parts: z.array(InstancePart),
});

/**
 * Instances with everything below them, all properties included. Those that are not in the place or have been moved are missing. The next
 * patch removes an instance only if its texts and its descendants are the same then, and every value was sent.
 */
const LiveInstances = z.object({
  type: z.literal('liveInstances'),
  cursor: z.number(),
  partCount: PartCount,
  instances: z.array(StudioInstance),
  left: z.array(z.string()).default([]),
});

/** An edit in Studio, with the plugin's known state of the tree. `baseHash`: the hash of that Source. */
export const LiveEdited = z.object({
  id: z.string(),
  source: z.string().optional(),
  baseHash: z.string().optional(),
  properties: mapOf(WireVariant).default({}),
  base: mapOf(WireVariant).default({}),
});
export type LiveEdited = z.infer<typeof LiveEdited>;
/** The answer is `liveWritten`. The plugin sends the next edit after it. */
const LiveEdit = z.object({ type: z.literal('liveEdit'), seq: z.number(), edits: z.array(LiveEdited) });

/** A new instance, with everything below it. `parentId`: an instance of the tree. */
const LiveCreated = z.object({ kind: z.literal('created'), parentId: z.string(), instance: StudioInstance });
export type LiveCreated = z.infer<typeof LiveCreated>;
/** An instance with another name. `base`: its name in the tree. */
const LiveRenamed = z.object({ kind: z.literal('renamed'), id: z.string(), name: z.string(), base: z.string() });
export type LiveRenamed = z.infer<typeof LiveRenamed>;
/**
 * An instance with another parent, and maybe another name. `base`: both as in the tree. The ids are of the tree. If `parentId` is the id of a new
 * instance of the same message, that one has the former parent and name: neither can be written before the other.
 */
const LiveMoved = z.object({
  kind: z.literal('moved'),
  id: z.string(),
  parentId: z.string(),
  name: z.string(),
  base: z.object({ parentId: z.string(), name: z.string() }),
});
export type LiveMoved = z.infer<typeof LiveMoved>;
export const LiveStructureChange = z.discriminatedUnion('kind', [LiveCreated, LiveRenamed, LiveMoved]);
export type LiveStructureChange = z.infer<typeof LiveStructureChange>;
export type LiveStructureKind = LiveStructureChange['kind'];
/** The answer is `liveWritten`, with one result per change. The plugin sends nothing else before it. */
const LiveStructure = z.object({
  type: z.literal('liveStructure'),
  seq: z.number(),
  changes: z.array(LiveStructureChange),
});

/** Studio has changes that a live session does not transfer, such as removed instances. */
const LiveNeedsSync = z.object({
  type: z.literal('liveNeedsSync'),
  reason: ReportedReason,
  start: z.number().optional(),
});

/** The live session did not start, because the tree could not be read or matched. */
const LiveFailed = z.object({
  type: z.literal('liveFailed'),
  message: ReportedReason,
  start: z.number().optional(),
});

export const LiveFromPlugin = z.discriminatedUnion('type', [
  LiveReady,
  LiveApplied,
  LiveInstancesPart,
  LiveInstances,
  LiveEdit,
  LiveStructure,
  LiveNeedsSync,
  LiveFailed,
]);
export type LiveFromPlugin = z.infer<typeof LiveFromPlugin>;
