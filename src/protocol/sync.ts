import { syncStatuses } from './sync-statuses.ts';
import { defaultReasons } from './default-reasons.ts';
import * as z from 'zod';
import { Acknowledgement } from './acknowledgement.ts';
import { MAX_OVERRIDES } from './limits.ts';
import { WireVariant } from './values.ts';

/** `push`: overwrite Studio with the disk. `pull`: overwrite files with Studio. */
export const Direction = z.enum(['push', 'pull']);
export type Direction = z.infer<typeof Direction>;

/** How a change is resolved: one side wins, or `merge`: both sides get the merged state. */
export const Resolution = z.enum(['push', 'pull', 'merge']);
export type Resolution = z.infer<typeof Resolution>;

/** The choices of a person for a change. `skip` changes neither side. */
export const Choice = z.enum(['push', 'pull', 'merge', 'skip']);
export type Choice = z.infer<typeof Choice>;

export const SyncMode = z.enum(['standard', 'manual', 'fastfail', 'dryrun']);
export type SyncMode = z.infer<typeof SyncMode>;

/** 40 lower-case hex digits: SHA-1 of `blob <byte length>\0<source>`. */
export const StudioHash = z.string().regex(/^[0-9a-f]{40}$/, '40 lower-case hex digits');

/** Ids of instances are 32 hex digits in lower case; other ids (of the unmodified Atlas plugin) are kept as they are. */
export const normalizeId = (id: string): string => (/^[0-9a-f]{32}$/i.test(id) ? id.toLowerCase() : id);

export const InstanceId = z.string().min(1).transform(normalizeId);

/** A decision of the caller for one change, with its preconditions. */
export const SyncOverride = z.strictObject({
  id: InstanceId.describe('The id of a change from an earlier atlas_sync answer.'),
  direction: Resolution.describe(
    'push: disk wins, Studio is changed. pull: Studio wins, files are changed. merge: both sides get the merge; requires studioHash (scripts) and diskHash.',
  ),
  text: z
    .string()
    .optional()
    .describe('merge only: the whole merged script. Without it, the merge must have no conflicts.'),
  // Any text is accepted: an invalid hash is a mismatch and gets a verdict like any other.
  studioHash: z
    .string()
    .optional()
    .describe('Scripts only: the studioHash that the decision relies on. A mismatch leaves the change unresolved.'),
  diskHash: z.string().optional().describe('The diskHash that the decision relies on.'),
  subtreeHash: z
    .string()
    .optional()
    .describe('For a change with subtree: the subtree.hash that the decision to remove relies on.'),
  expectedProperties: z
    .record(z.string(), WireVariant)
    .optional()
    .describe(
      'Property name to the Studio value that the decision relies on, in the encoded form of the answer, or plain for booleans, numbers, strings and names of enum items.',
    ),
});
export type SyncOverride = z.infer<typeof SyncOverride>;

/** The Studio that a tool uses. */
export const StudioHandle = z
  .string()
  .min(1)
  .describe('The Studio to use. Required only if more than one Studio is connected; the error then lists them.');

/** The ids that occur more than once. */
export function repeated(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(ids.filter(id => seen.has(id) || !seen.add(id)))];
}

/** The input of `atlas_sync`. */
export const SyncInput = z.strictObject({
  mode: SyncMode.default('standard').describe(
    'standard applies what a default or an override decides, and asks a person in a review if anything is undecided. manual always asks. fastfail never asks: if anything is undecided, nothing is applied. dryrun only lists the changes.',
  ),
  overrides: z
    .array(SyncOverride)
    .max(MAX_OVERRIDES)
    .superRefine((list, context) => {
      const twice = repeated(list.map(({ id }) => id));
      if (twice.length > 0)
        context.addIssue({ code: 'custom', message: `more than one override for ${twice.join(', ')}` });
    })
    .default([])
    .describe('Decisions for individual changes from an earlier answer.'),
  studio: StudioHandle.optional(),
});
export type SyncInput = z.infer<typeof SyncInput>;

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
