/**
 * The command stream between the bridge and the Studio plugin: WebSocket `/api/mcp/stream`, JSON text frames.
 * Mirrors `studio-plugin/src/core/stream.luau`. In the order of the conversation; tolerant about unknown keys.
 *
 * A plugin that announces no capabilities is the reference plugin: it gets no `welcome` and none of the commands below but `getScript`.
 */
import * as z from 'zod';
import { WireVariant } from '../values.ts';
import { LuauPropertyChange, mapOf } from './luau-tables.ts';
import type { ReadResponse } from './messages.ts';
import { type Direction, OverrideVerdict, PatchType, Place, StudioHash, type SyncOverride } from '../sync.ts';

/** What our plugin announces. `acknowledgedApply`: the commands `compare`, `read`, `apply`. `stableIds`: Studio-only instances keep their id. */
export const requiredCapabilities = ['acknowledgedApply', 'stableIds', 'requestIds'] as const;

// --- plugin → bridge: first frame -------------------------------------------------------------------------------------------

export const Hello = z.object({
  type: z.literal('hello'),
  twoWaySync: z.boolean().default(false),
  oneShotSync: z.boolean().default(false),
  confirmationBehavior: z.string().default(''),
  placeId: z.number().default(0),
  placeName: z.string().default('Place'),
  pluginVersion: z.string().optional(),
  /** Which Studio this is, for as long as its plugin runs: one that comes back is the same. */
  studioId: z.string().min(1).max(64).optional(),
  capabilities: z.array(z.string()).default([]),
});
export type Hello = z.infer<typeof Hello>;

// --- bridge → plugin: answer to `hello` ---------------------------------------------------------------------------------------

/** `epoch` counts the connections of this bridge; it stands in nothing else, it is for the log of both sides. */
export type Welcome = {
  readonly type: 'welcome';
  readonly epoch: number;
  readonly sessionId: string;
  readonly projectName: string;
  /** What the bridge calls this Studio: its handle. */
  readonly studio: string;
};
/** Whether a person is asked for a decision in VS Code, for the plugin's window; no answer. A plugin that does not know it passes it over. */
export type Deciding = { readonly type: 'deciding'; readonly isPending: boolean };
/** Followed by a close frame. The plugin shows `reason` and does not try again by itself. */
export type Rejected = { readonly type: 'rejected'; readonly reason: string };

// --- bridge → plugin: commands ------------------------------------------------------------------------------------------------

/**
 * GET /api/rojo and /api/read/<root>, match, diff, check the overrides; changes nothing. The plugin keeps the result (instances by
 * id, encoded incoming values) under `requestId` until the next `compare`, for `read`, `apply` and `getScript`.
 */
export type CompareCommand = {
  readonly type: 'compare';
  readonly requestId: string;
  readonly overrides: readonly SyncOverride[];
  /** Compared instead of what `/api/read` says, for a plugin that announces `otherTrees`; in the form of that reply. */
  readonly tree?: { readonly rootId: string; readonly instances: ReadResponse['instances'] };
};

/** Reads the Studio side of changes of the comparison `compareId`, whole subtrees for `Remove`; changes nothing. */
export type ReadCommand = {
  readonly type: 'read';
  readonly requestId: string;
  readonly compareId: string;
  readonly ids: readonly string[];
};

/**
 * Carries out decisions over the comparison `compareId`. Every precondition is checked in the same step as the write, without a
 * yield between; one that fails, fails its change only. `push` changes Studio; `pull` changes nothing and confirms that Studio still
 * holds what `studioHash` and `expectedProperties` say, so that what was written to disk is Studio's.
 */
export type ApplyCommand = {
  readonly type: 'apply';
  readonly requestId: string;
  readonly compareId: string;
  readonly runId: string;
  readonly decisions: readonly ApplyDecision[];
};
export type ApplyDecision = {
  readonly id: string;
  readonly direction: Direction;
  /** Hash of the saved Source that is about to be replaced, removed or kept. */
  readonly studioHash?: string;
  /** Values that are about to be replaced; encoded. */
  readonly expectedProperties?: Readonly<Record<string, WireVariant>>;
};

/**
 * Reads one script (spec 001). `id` is a Ref of the tree or of a Studio-only instance of the last comparison. `names`, for a plugin that
 * announces `scriptsByPath`: the way to it from below the root, where the last comparison does not know the id or there was none.
 */
export type GetScriptCommand = {
  readonly type: 'getScript';
  readonly requestId: string;
  readonly id: string;
  readonly fromDraft: boolean;
  readonly names?: readonly string[];
};

/** The bridge has given `requestId` up; an apply that has begun finishes its current instance and reports. */
export type CancelCommand = { readonly type: 'cancel'; readonly requestId: string };

export type StudioCommand = CompareCommand | ReadCommand | ApplyCommand | GetScriptCommand | CancelCommand;

// --- plugin → bridge: replies, each with the request id of its command -----------------------------------------------------------

/** Sent at once for every command with a `requestId`, before any work. */
const Received = z.object({ type: z.literal('received'), requestId: z.string() });
/** `done` of `total` instances; restarts the budget. */
const Progress = z.object({
  type: z.literal('progress'),
  requestId: z.string(),
  done: z.number(),
  total: z.number(),
});

/** One node that differs, as Studio sees it. Defaults and file paths are the bridge's to add. */
export const StudioChange = z.object({
  /** `Edit`, `Add`: the Ref of the tree. `Remove`: 32 hex digits that this Studio keeps for the instance as long as it lives. */
  id: z.string(),
  patchType: PatchType,
  /** Node names from below the DataModel, joined by `/`. */
  path: z.string(),
  name: z.string(),
  /** Studio's class for `Edit` and `Remove`, the tree's for `Add`. */
  className: z.string(),
  /** Id of the parent: a Ref, or a Studio-only id. */
  parentId: z.string(),
  /** Scripts that exist in Studio: hash of the saved Source. */
  studioHash: StudioHash.optional(),
  /** The same of the open editor's text, when it differs from the saved Source. */
  draftHash: StudioHash.optional(),
  /** Whether Source is among what differs (it is never in `properties`). */
  sourceDiffers: z.boolean().default(false),
  /** `Edit` only: what differs beside Source. `Name` and `ClassName` count as properties here. */
  properties: mapOf(LuauPropertyChange).optional(),
  /** `Remove` only: how many instances the subtree holds, this one included. */
  descendants: z.number().optional(),
});
export type StudioChange = z.infer<typeof StudioChange>;

export const Compared = z.object({
  type: z.literal('compared'),
  requestId: z.string(),
  place: Place,
  /** `messageCursor` of the /api/read reply that was compared: the tree's revision. */
  messageCursor: z.number(),
  changes: z.array(StudioChange),
  /** In the order of the command's overrides. */
  overrides: z.array(OverrideVerdict),
  /** Values of the tree that this Studio does not understand, so that they were not compared; the first hundred. */
  unreadable: z.array(z.object({ path: z.string(), property: z.string(), reason: z.string() })).optional(),
});
export type Compared = z.infer<typeof Compared>;

/**
 * The Studio side of an instance. `Edit`: the properties that differ. `Remove`: the subtree, with every property that a fresh instance
 * of the class does not have so already.
 */
export type StudioInstance = {
  id: string;
  name: string;
  className: string;
  /** Scripts: the saved Source and its hash. A Source that is no UTF-8 has a hash and no text. */
  source?: string | undefined;
  studioHash?: string | undefined;
  properties: Record<string, WireVariant>;
  children: StudioInstance[];
};
export const StudioInstance: z.ZodType<StudioInstance> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    className: z.string(),
    source: z.string().optional(),
    studioHash: StudioHash.optional(),
    properties: mapOf(WireVariant),
    children: z.array(StudioInstance),
  }),
);
/** `missing`: ids that are not in the comparison, or whose instance is gone, unless `missingBecause` says otherwise. */
export const Instances = z.object({
  type: z.literal('instances'),
  requestId: z.string(),
  instances: z.array(StudioInstance),
  missing: z.array(z.string()),
  missingBecause: z.string().optional(),
});
export type Instances = z.infer<typeof Instances>;

/** One decision's end, in the order of the command. `studioHash`: of the Source as it is now, read back after the write. */
export const AppliedItem = z.object({
  id: z.string(),
  ok: z.boolean(),
  code: z.enum(['hash_mismatch', 'property_mismatch', 'stale_id', 'draft_open', 'engine']).optional(),
  reason: z.string().optional(),
  studioHash: StudioHash.optional(),
});
export type AppliedItem = z.infer<typeof AppliedItem>;
export const Applied = z.object({ type: z.literal('applied'), requestId: z.string(), results: z.array(AppliedItem) });
export type Applied = z.infer<typeof Applied>;

export const Script = z.object({
  type: z.literal('script').default('script'),
  requestId: z.string(),
  status: z.literal('success'),
  source: z.string(),
  studioHash: StudioHash,
  className: z.string(),
  instancePath: z.string(),
  isDraft: z.boolean(),
});
export type Script = z.infer<typeof Script>;

/** Any command may end so. `code`: `no_comparison`, `stale_id`, `deleted`, `not_a_script`, `http`, `wrong_place`, `cancelled`, `engine`. */
const Failed = z.object({
  type: z.literal('failed'),
  requestId: z.string(),
  code: z.string(),
  message: z.string(),
  className: z.string().optional(),
});
export type Failed = z.infer<typeof Failed>;

/** A line of Studio's console; `level` is its Enum.MessageType: 0 output, 1 info, 2 warning, 3 error. Answers nothing. */
export const RobloxLog = z.object({ type: z.literal('roblox_log'), message: z.string(), level: z.number() });
export type RobloxLog = z.infer<typeof RobloxLog>;

export const FromPlugin = z.discriminatedUnion('type', [
  Received,
  Progress,
  Compared,
  Instances,
  Applied,
  Script,
  Failed,
  RobloxLog,
]);
export type FromPlugin = z.infer<typeof FromPlugin>;
