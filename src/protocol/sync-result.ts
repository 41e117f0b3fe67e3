import * as z from 'zod';
import { Acknowledgement } from './acknowledgement.ts';
import { defaultReasons } from './default-reasons.ts';
import { Direction, Resolution, StudioHash } from './sync-request.ts';
import { syncStatuses } from './sync-statuses.ts';
import { WireVariant } from './values.ts';

export const PatchType = z.enum(['Add', 'Remove', 'Edit']);
export type PatchType = z.infer<typeof PatchType>;

/**
 * One property of an Edit, with both sides encoded. A missing side could not be encoded or has no value. The names are those of enum
 * items. `isOmitted`: the values are too long for the page.
 */
export const PropertyChange = z.object({
  current: WireVariant.optional(),
  incoming: WireVariant.optional(),
  currentName: z.string().optional(),
  incomingName: z.string().optional(),
  isOmitted: z.literal(true).optional(),
});
export type PropertyChange = z.infer<typeof PropertyChange>;

/** `merged`: Studio and the files have the merge. `unknown`: the change was sent to Studio, but Studio did not confirm it. */
export const ChangeOutcome = z.enum(['applied', 'written', 'merged', 'skipped', 'failed', 'unknown']);
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** Whether both sides are equal after this outcome. */
export const isDone = (outcome: ChangeOutcome | undefined): boolean =>
  outcome === 'applied' || outcome === 'written' || outcome === 'merged';

/** Whether Studio was changed. */
export const hasChangedStudio = (outcome: ChangeOutcome | undefined): boolean =>
  outcome === 'applied' || outcome === 'merged';

/**
 * The instances that a removal from Studio includes, with the top one. `hash` covers their names, classes, order and Sources.
 * `classes`: how many there are of each class.
 */
export const Subtree = z.object({ count: z.number(), classes: z.record(z.string(), z.number()), hash: StudioHash });
export type Subtree = z.infer<typeof Subtree>;

/**
 * A complete merge: the properties that each side contributes, and the lines of the file that it replaces or adds (at most 500 characters).
 */
export const MergePreview = z.object({
  fromDisk: z.array(z.string()),
  fromStudio: z.array(z.string()),
  preview: z.string().optional(),
});
export type MergePreview = z.infer<typeof MergePreview>;

/** One instance that differs. `defaultReason`, `outcome` and `reason` extend the fields of the original protocol. */
export const SyncChange = z.object({
  path: z.string(),
  name: z.string().optional().describe('The last name of the path, if it contains a `/`.'),
  id: z.string(),
  direction: z.enum(['push', 'pull', 'merge', 'skip', 'unresolved']),
  patchType: PatchType,
  className: z.string(),
  studioHash: StudioHash.optional(),
  /** Identifies the disk side: for a script, the hash of its text as in `studioHash`, otherwise a hash of the class and all properties. */
  diskHash: z.string().optional(),
  /** The open editor in Studio has unsaved changes. Absent if it has none. */
  hasDraft: z.literal(true).optional(),
  /** `Remove` only. */
  subtree: Subtree.optional(),
  defaultSelection: Resolution.nullable(),
  /** The effect of `merge`; absent if nothing can be merged. */
  merge: MergePreview.optional(),
  fsPath: z.string().nullable(),
  /** The file or folder that a pull creates; absent where it is not known. */
  newFile: z.string().optional(),
  properties: z.record(z.string(), PropertyChange).optional(),
  defaultReason: z.enum(defaultReasons),
  outcome: ChangeOutcome.optional(),
  reason: z.string().optional(),
});
export type SyncChange = z.infer<typeof SyncChange>;

export const Verdict = z.enum([
  'accepted',
  'stale_id',
  'hash_mismatch',
  'disk_mismatch',
  'property_mismatch',
  'undecodable',
  'not_mergeable',
  'declined',
  'precondition_missing',
]);
export type Verdict = z.infer<typeof Verdict>;

/** The result of one override, in the order of the request. */
export const OverrideVerdict = z.object({
  id: z.string(),
  direction: Resolution,
  verdict: Verdict,
  reason: z.string().optional(),
});
export type OverrideVerdict = z.infer<typeof OverrideVerdict>;

/** A text that cursors repeat in every answer. The limit is not in the listed schema, where it would cost more than it is worth. */
const shortText = (max: number) =>
  z
    .string()
    .min(1)
    .refine(text => text.length <= max, `must have at most ${max} characters`);

/** Filters of changes. A change matches if it matches each given one. */
export const changeFilters = {
  under: shortText(1_000).optional().describe('Only changes at or below this path (path or fsPath).'),
  patchType: PatchType.optional(),
  className: shortText(100).optional(),
};

/** A decision for all changes that match; `digest` identifies the list that was seen. */
export const BulkOverride = z.strictObject({
  ...changeFilters,
  undecided: z.boolean().optional(),
  direction: Direction,
  digest: z.string(),
});
export type BulkOverride = z.infer<typeof BulkOverride>;

/** The result of one bulk override. `selected`: the changes that match; `accepted`: those that it decided. The others have a `reason`. */
export const BulkVerdict = BulkOverride.extend({
  verdict: z.enum(['accepted', 'digest_mismatch', 'declined']),
  selected: z.number(),
  accepted: z.number(),
  reason: z.string().optional(),
});
export type BulkVerdict = z.infer<typeof BulkVerdict>;

/** A property that only Studio has, with its default value. `path`: names from below the DataModel, joined by `/`. */
export const UntrackedProperty = z.object({
  id: z.string(),
  path: z.string(),
  className: z.string(),
  property: z.string(),
  studio: WireVariant,
  default: WireVariant,
});
export type UntrackedProperty = z.infer<typeof UntrackedProperty>;

// `Object.keys` does not have the type of the literal's keys.
export const SyncStatus = z.enum(Object.keys(syncStatuses) as readonly (keyof typeof syncStatuses)[]);
export type SyncStatus = z.infer<typeof SyncStatus>;
export const isErrorStatus = (status: SyncStatus): boolean => syncStatuses[status].isError;

export const Place = z.object({ name: z.string(), placeId: z.number() });
export type Place = z.infer<typeof Place>;

/** The wire form of an error of the catalog in `base/errors.ts`. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  retry: z.string(),
  retryable: z.boolean().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/**
 * Output of `atlas_sync` and `operation_wait`. `summary` describes the result in a sentence, because VS Code passes only this object to the
 * model.
 */
export const SyncResult = z.object({
  status: SyncStatus,
  summary: z.string(),
  runId: z.string(),
  ...Acknowledgement.shape,
  place: Place.optional(),
  /** The handle of the Studio that took part. */
  studio: z.string().optional(),
  changes: z.array(SyncChange),
  overrides: z.array(OverrideVerdict),
  bulk: z.array(BulkVerdict).optional(),
  /** Problems that the other fields do not show; absent if there are none. */
  warnings: z.array(z.string()).optional(),
  /** Number of properties that only Studio has and no file names, of dry runs and runs without changes; absent if there are none. */
  untracked: z.int().positive().optional(),
  error: ErrorBody.optional(),
});
export type SyncResult = z.infer<typeof SyncResult>;
