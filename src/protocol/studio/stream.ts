/**
 * The command stream between the bridge and the Studio plugin: WebSocket `/api/mcp/stream`, JSON text frames.
 * Mirrors `studio-plugin/src/core/stream.luau`. Messages are in the order of the conversation. Unknown keys are ignored.
 *
 * A plugin that announces no capabilities is the Atlas plugin: it gets no `welcome`, and of the commands below only `getScript`. The commands
 * of the Game view are in `explorer.ts`.
 */
import * as z from 'zod';
import { type reasonCodesCapability, ReportedReason } from './reported-reason.ts';
import { WireVariant } from '../values.ts';
import { ChildrenChanged, type ExplorerCommand, Found, Inspected, Listed, ListedPart, Selected } from './explorer.ts';
import { LuauPropertyChange, mapOf } from './luau-tables.ts';
import type { ReadResponse } from './messages.ts';
import { type Direction, StudioHash, type SyncOverride } from '../sync-request.ts';
import { OverrideVerdict, PatchType, Place, Subtree, UntrackedProperty } from '../sync-result.ts';

/** Capabilities that the plugin must announce. `acknowledgedApply`: the commands `compare`, `read`, `apply`. `stableIds`: Studio-only instances keep their id. `requestIds`: each reply names its command. */
export const requiredCapabilities = ['acknowledgedApply', 'stableIds', 'requestIds'] as const;

/** Capability of plugins that accept `ApplyDecision.merged`. */
export const mergesCapability = 'merges';

/** Capability of plugins that answer `untracked` and accept `CompareCommand.tracked`. */
export const untrackedCapability = 'untrackedProperties';

// --- plugin → bridge: first frame -------------------------------------------------------------------------------------------

export const Hello = z.object({
  type: z.literal('hello'),
  twoWaySync: z.boolean().default(false),
  oneShotSync: z.boolean().default(false),
  confirmationBehavior: z.string().default(''),
  placeId: z.number().default(0),
  placeName: z.string().default('Place'),
  /** The version of the published place that Studio opened; 0 if the place was never published, or from a plugin that does not send it. */
  placeVersion: z.number().default(0),
  pluginVersion: z.string().optional(),
  /** Identifies this Studio while its plugin runs, also after a reconnect. */
  studioId: z.string().min(1).max(64).optional(),
  capabilities: z.array(z.string()).default([]),
});
export type Hello = z.infer<typeof Hello>;

// --- bridge → plugin: answer to `hello` ---------------------------------------------------------------------------------------

/** `epoch` counts the connections of this bridge. Used only in the logs of both sides. */
export type Welcome = {
  readonly type: 'welcome';
  readonly epoch: number;
  readonly sessionId: string;
  readonly projectName: string;
  /** The handle of this Studio. */
  readonly studio: string;
  readonly capabilities: readonly (typeof reasonCodesCapability)[];
};
/** Whether a decision is pending in VS Code, for the plugin's window. Has no answer; a plugin that does not support it ignores it. */
export type Deciding = { readonly type: 'deciding'; readonly isPending: boolean };
/** Followed by a close frame. The plugin shows `reason`, and retries only if `retry` is true. */
export type Rejected = { readonly type: 'rejected'; readonly reason: string; readonly retry?: boolean };

// --- bridge → plugin: commands ------------------------------------------------------------------------------------------------

/** An override whose preconditions in Studio the plugin checks. A merge is a push, because it changes Studio. */
export type ComparedOverride = Pick<SyncOverride, 'id' | 'studioHash' | 'expectedProperties'> & {
  readonly direction: Direction;
};

/**
 * The plugin reads /api/rojo and /api/read/<root>, matches, compares and checks the overrides; it changes nothing. It keeps the result
 * (instances by id, encoded incoming values) under `requestId` until the next `compare`, for `read`, `apply` and `getScript`.
 */
export type CompareCommand = {
  readonly type: 'compare';
  readonly requestId: string;
  readonly overrides: readonly ComparedOverride[];
  /** The tree to compare instead of the reply of `/api/read`, in the same form. Requires the capability `otherTrees`. */
  readonly tree?: { readonly rootId: string; readonly instances: ReadResponse['instances'] };
  /** Keeps the last comparison that was not aside, because another run uses it. Requires the capability `asideComparisons`. */
  readonly isAside?: boolean;
  /** Sends all changes but the last ones as `changes` before `compared`. A plugin that does not know it sends them all in `compared`. */
  readonly inParts?: boolean;
  /** Reports an instance that was renamed on one side since the last comparison as `Edit` with `Name`. */
  readonly renames?: boolean;
  /** Properties that no file names, with their default values: compared as if a file had these values. Requires `untrackedProperties`. */
  readonly tracked?: readonly TrackedProperties[];
};
/** `properties`: the default values, encoded, by the name. */
export type TrackedProperties = { readonly id: string; readonly properties: Readonly<Record<string, WireVariant>> };

/**
 * Finds the properties of instances on both sides of the comparison `compareId` that no file names and that differ from their default.
 * `defaults`: by class and property, for classes that Studio cannot create; others are compared with a new instance. Changes nothing.
 */
export type UntrackedCommand = {
  readonly type: 'untracked';
  readonly requestId: string;
  readonly compareId: string;
  readonly defaults: Readonly<Record<string, Readonly<Record<string, WireVariant>>>>;
  readonly maxListed: number;
};

/** Reads the Studio side of changes of the comparison `compareId`, with whole subtrees for `Remove`. Changes nothing. */
export type ReadCommand = {
  readonly type: 'read';
  readonly requestId: string;
  readonly compareId: string;
  readonly ids: readonly string[];
  /** Bytes of texts after which the reply names the remaining ids as `left`, as after 5,000 instances. An older plugin reads all ids. */
  readonly maxBytes?: number;
  /** Sends most descendants as `instancesPart` before the reply. A plugin that does not know it sends one reply. */
  readonly inParts?: boolean;
};

/**
 * Applies decisions for the comparison `compareId`. Every precondition is checked together with the write, without a yield between them; a
 * failed precondition fails only its change. `push` changes Studio. `pull` changes nothing and confirms that Studio still has the state of
 * `studioHash` and `expectedProperties`, so that the files match Studio.
 */
export type ApplyCommand = {
  readonly type: 'apply';
  readonly requestId: string;
  readonly compareId: string;
  readonly runId: string;
  readonly decisions: readonly ApplyDecision[];
  /** Sends all results but the last ones as `appliedPart` before `applied`. A plugin that does not know it sends one reply. */
  readonly inParts?: boolean;
};
export type ApplyDecision = {
  readonly id: string;
  readonly direction: Direction;
  /** The expected hash of the saved Source before the change. */
  readonly studioHash?: string;
  /** The expected values before the change, encoded. */
  readonly expectedProperties?: Readonly<Record<string, WireVariant>>;
  /** `push` of an `Edit`: writes exactly this instead of the compared state of the tree. Requires the capability `merges`. */
  readonly merged?: { readonly source?: string; readonly values: Readonly<Record<string, WireVariant>> };
};

/**
 * Reads one script. `id` is a Ref of the tree or the id of a Studio-only instance of the last comparison. `names` (requires the capability
 * `scriptsByPath`): the path from below the root, if the last comparison does not contain the id or there was none.
 */
export type GetScriptCommand = {
  readonly type: 'getScript';
  readonly requestId: string;
  readonly id: string;
  readonly fromDraft: boolean;
  readonly names?: readonly string[];
};

/** The bridge no longer waits for `requestId`. An apply in progress finishes its current instance and reports. */
export type CancelCommand = { readonly type: 'cancel'; readonly requestId: string };

export type StudioCommand =
  | CompareCommand
  | UntrackedCommand
  | ReadCommand
  | ApplyCommand
  | GetScriptCommand
  | ExplorerCommand
  | CancelCommand;

// --- plugin → bridge: replies, each with the request id of its command -----------------------------------------------------------

/** Sent immediately for every command with a `requestId`, before any work. */
const Received = z.object({ type: z.literal('received'), requestId: z.string() });
/** `done` of `total` instances; `total` is 0 while nothing is counted. Restarts the timeout, so it is also sent while the command waits. */
const Progress = z.object({
  type: z.literal('progress'),
  requestId: z.string(),
  done: z.number(),
  total: z.number(),
});

/** One instance that differs, as Studio reports it. The bridge adds defaults and file paths. */
export const StudioChange = z.object({
  /** `Edit`, `Add`: the Ref of the tree. `Remove`: 32 hex digits that this Studio assigns to the instance for its lifetime. */
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
  /** The hash of the text in the open editor, if that differs from the saved Source. */
  draftHash: StudioHash.optional(),
  /** Whether Source differs (Source is never in `properties`). */
  sourceDiffers: z.boolean().default(false),
  /** `Edit` only: the differing properties except Source, including `Name` and `ClassName`. */
  properties: mapOf(LuauPropertyChange).optional(),
  /** `Remove` only: what a push removes from Studio; `listed`: paths of the first 50 descendants below this instance, with classes. */
  subtree: Subtree.extend({ listed: z.array(z.string()) }).optional(),
});
export type StudioChange = z.infer<typeof StudioChange>;

/** Some of the changes of a comparison, in order, before its `compared` has the last ones. */
const Changes = z.object({ type: z.literal('changes'), requestId: z.string(), changes: z.array(StudioChange) });

/** The verdict of Studio about an override. */
export const StudioVerdict = OverrideVerdict.extend({ reason: ReportedReason.optional() });
export type StudioVerdict = z.infer<typeof StudioVerdict>;

/** The number of messages with parts before a reply. Older plugins do not send it. */
export const PartCount = z.int().nonnegative().optional();

export const Compared = z.object({
  type: z.literal('compared'),
  requestId: z.string(),
  partCount: PartCount,
  place: Place,
  /** `messageCursor` of the compared /api/read reply: the revision of the tree. */
  messageCursor: z.number(),
  changes: z.array(StudioChange),
  /** In the order of the command's overrides. */
  overrides: z.array(StudioVerdict),
  /** The first 100 values of the tree that this Studio cannot decode and did not compare. */
  unreadable: z.array(z.object({ path: z.string(), property: z.string(), reason: ReportedReason })).optional(),
});
export type Compared = z.infer<typeof Compared>;

/** `count`: all of them; `properties`: the first ones in the order of the tree, at most `maxListed`. */
export const Untracked = z.object({
  type: z.literal('untracked'),
  requestId: z.string(),
  count: z.int().nonnegative(),
  properties: z.array(UntrackedProperty),
});
export type Untracked = z.infer<typeof Untracked>;

/**
 * The Studio side of an instance. `Edit`: the properties that differ. `Remove`: the subtree, with every property whose value is not the
 * default of the class.
 */
export type StudioInstance = {
  id: string;
  name: string;
  className: string;
  /** Scripts: the saved Source and its hash. A Source that is not valid UTF-8 has a hash but no text. */
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
/** A descendant of an instance of the next `instances` reply, without those below it, which follow. A parent comes before its children. */
export const InstancePart = z.object({ parentId: z.string(), instance: StudioInstance });
export type InstancePart = z.infer<typeof InstancePart>;
const InstancesPart = z.object({
  type: z.literal('instancesPart'),
  requestId: z.string(),
  parts: z.array(InstancePart),
});
/**
 * `missing`: ids that are not in the comparison or whose instance was removed, unless `missingBecause` has another reason. `left`: ids that
 * were not read because of `maxBytes` or because the reply has many instances already.
 */
export const Instances = z.object({
  type: z.literal('instances'),
  requestId: z.string(),
  partCount: PartCount,
  instances: z.array(StudioInstance),
  missing: z.array(z.string()),
  missingBecause: ReportedReason.optional(),
  /** Instances of the reply that lack a text or a value, which no message can carry. Nothing may replace them. */
  incomplete: z.array(z.object({ id: z.string(), reason: ReportedReason })).optional(),
  left: z.array(z.string()).optional(),
});
export type Instances = z.infer<typeof Instances>;

/**
 * The result of one decision, in the order of the command. `studioHash`: the hash of the Source that was read back after the write.
 * `unchanged`: Studio was not changed: it had the new state already, or it refused the change.
 */
export const AppliedItem = z.object({
  id: z.string(),
  ok: z.boolean(),
  code: z.enum(['hash_mismatch', 'property_mismatch', 'stale_id', 'draft_open', 'engine']).optional(),
  /** The reason of a failure. */
  reason: ReportedReason.optional(),
  studioHash: StudioHash.optional(),
  unchanged: z.boolean().optional(),
});
export type AppliedItem = z.infer<typeof AppliedItem>;
/** Some of the results, in order, before their `applied` has the last ones. */
const AppliedPart = z.object({ type: z.literal('appliedPart'), requestId: z.string(), results: z.array(AppliedItem) });
export const Applied = z.object({
  type: z.literal('applied'),
  requestId: z.string(),
  partCount: PartCount,
  results: z.array(AppliedItem),
});
export type Applied = z.infer<typeof Applied>;

export const Script = z.object({
  type: z.literal('script'),
  requestId: z.string(),
  status: z.literal('success'),
  source: z.string(),
  studioHash: StudioHash,
  className: z.string(),
  instancePath: z.string(),
  isDraft: z.boolean().default(false),
});
export type Script = z.infer<typeof Script>;

/** The failure reply of any command. `code`: `no_comparison`, `stale_id`, `deleted`, `not_a_script`, `http`, `wrong_place`, `cancelled`, `too_large`, `engine`. */
const Failed = z.object({
  type: z.literal('failed'),
  requestId: z.string(),
  code: z.string(),
  message: ReportedReason,
  className: z.string().optional(),
});
export type Failed = z.infer<typeof Failed>;

/** Characters of a line of the console; more would block while they are logged. */
const MAX_LOG_CHARS = 100_000;
/** A line of Studio's console; `level` is its Enum.MessageType: 0 output, 1 info, 2 warning, 3 error. Not a reply. */
export const RobloxLog = z.object({
  type: z.literal('roblox_log'),
  message: z.string().max(MAX_LOG_CHARS),
  level: z.number(),
});
export type RobloxLog = z.infer<typeof RobloxLog>;

/** Adds the type to a reply of `getScript` without one: the first form of that reply has only a status. */
function withType(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || 'type' in raw || !('status' in raw)) return raw;
  return raw.status === 'success'
    ? { ...raw, type: 'script' }
    : { code: 'engine', message: raw.status, ...raw, type: 'failed' };
}

export const FromPlugin = z.preprocess(
  withType,
  z.discriminatedUnion('type', [
    Received,
    Progress,
    Changes,
    Compared,
    Untracked,
    Instances,
    InstancesPart,
    AppliedPart,
    Applied,
    Script,
    ListedPart,
    Listed,
    Found,
    Inspected,
    Selected,
    ChildrenChanged,
    Failed,
    RobloxLog,
  ]),
);
export type FromPlugin = z.infer<typeof FromPlugin>;
