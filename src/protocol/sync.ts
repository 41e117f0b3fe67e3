import * as z from 'zod';
import { Acknowledgement } from './acknowledgement.ts';
import { MAX_OVERRIDES } from './limits.ts';
import { WireVariant } from './values.ts';

/** `push`: disk wins, Studio is changed. `pull`: Studio wins, files are changed. */
export const Direction = z.enum(['push', 'pull']);
export type Direction = z.infer<typeof Direction>;

/** What a person may choose for a change; `skip` changes neither side now. */
export const Choice = z.enum(['push', 'pull', 'skip']);
export type Choice = z.infer<typeof Choice>;

export const SyncMode = z.enum(['standard', 'manual', 'fastfail', 'dryrun']);
export type SyncMode = z.infer<typeof SyncMode>;

/** 40 lower-case hex digits: SHA-1 of `blob <byte length>\0<source>`. */
export const StudioHash = z.string().regex(/^[0-9a-f]{40}$/, '40 lower-case hex digits');

/** A decision made for one change by whoever asked for the sync, with what it relied on (spec 000, "New Input Schema"). */
export const SyncOverride = z.strictObject({
  id: z.string().min(1).describe('The id of a change from an earlier atlas_sync answer.'),
  direction: Direction.describe('push: disk wins, Studio is changed. pull: Studio wins, files are changed.'),
  // Any text: one that is no hash at all does not hold either, and gets its verdict as every other does.
  studioHash: z
    .string()
    .optional()
    .describe('Scripts only: the studioHash that the decision relies on. A mismatch leaves the change unresolved.'),
  expectedProperties: z
    .record(z.string(), WireVariant)
    .optional()
    .describe(
      'Property name to the Studio value that the decision relies on, in the encoded form of the answer, or plain for booleans, numbers, strings and names of enum items.',
    ),
});
export type SyncOverride = z.infer<typeof SyncOverride>;

/** Which Studio a tool means. */
export const StudioHandle = z
  .string()
  .min(1)
  .describe('Which Studio; needed only where several are connected. The error then lists them.');

/** Input of `atlas_sync`: that of spec 000, and which Studio. */
export const SyncInput = z.strictObject({
  mode: SyncMode.default('standard').describe(
    'What happens to undecided changes: standard asks a person, manual always asks, fastfail fails, dryrun only lists.',
  ),
  overrides: z
    .array(SyncOverride)
    .max(MAX_OVERRIDES)
    .refine(list => new Set(list.map(override => override.id)).size === list.length, 'at most one override for each id')
    .default([])
    .describe('Decisions for single changes of an earlier answer.'),
  studio: StudioHandle.optional(),
});
export type SyncInput = z.infer<typeof SyncInput>;

export const PatchType = z.enum(['Add', 'Remove', 'Edit']);
export type PatchType = z.infer<typeof PatchType>;

/** One property of an Edit, both sides encoded; an absent side could not be encoded or has no value. */
export const PropertyChange = z.object({ current: WireVariant.optional(), incoming: WireVariant.optional() });
export type PropertyChange = z.infer<typeof PropertyChange>;

/** Why the default selection is what it is; `docs/architecture.md` lists the rules. */
export const DefaultReason = z.enum([
  'restored',
  'base_disk_moved',
  'base_studio_moved',
  'base_both_moved',
  'git_unchanged_on_disk',
  'git_studio_has_known_version',
  'git_new_file',
  'git_both_moved',
  'git_tracked_file_not_in_studio',
  'git_ignored_file',
  'removal',
  'no_git',
]);
export type DefaultReason = z.infer<typeof DefaultReason>;

/** `unknown`: Studio was told, and nobody knows whether it did it. */
export const ChangeOutcome = z.enum(['applied', 'written', 'skipped', 'failed', 'unknown']);
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** One node that differs: the fields of spec 000, then ours (`defaultReason`, `outcome`, `reason`). */
export const SyncChange = z.object({
  path: z.string(),
  id: z.string(),
  direction: z.enum(['push', 'pull', 'skip', 'unresolved']),
  patchType: PatchType,
  className: z.string(),
  studioHash: StudioHash.optional(),
  defaultSelection: Direction.nullable(),
  fsPath: z.string().nullable(),
  properties: z.record(z.string(), PropertyChange).optional(),
  defaultReason: DefaultReason,
  outcome: ChangeOutcome.optional(),
  reason: z.string().optional(),
});
export type SyncChange = z.infer<typeof SyncChange>;

export const Verdict = z.enum([
  'accepted',
  'stale_id',
  'hash_mismatch',
  'property_mismatch',
  'undecodable',
  'declined',
  'precondition_missing',
]);
export type Verdict = z.infer<typeof Verdict>;

/** What became of one override; in the order of the request. */
export const OverrideVerdict = z.object({
  id: z.string(),
  direction: Direction,
  verdict: Verdict,
  reason: z.string().optional(),
});
export type OverrideVerdict = z.infer<typeof OverrideVerdict>;

export const SyncStatus = z.enum([
  'success',
  'empty',
  'dryrun',
  'review_pending',
  'partial',
  'rejected',
  'fastfail_unresolved',
  'review_timeout',
  'cancelled',
  'not_connected',
  'sync_in_progress',
  'disconnected',
  'error',
]);
export type SyncStatus = z.infer<typeof SyncStatus>;

const notErrors: ReadonlySet<SyncStatus> = new Set(['success', 'empty', 'dryrun', 'review_pending']);
export const isErrorStatus = (status: SyncStatus): boolean => !notErrors.has(status);

export const Place = z.object({ name: z.string(), placeId: z.number() });
export type Place = z.infer<typeof Place>;

/** A failure as it leaves us: one row of the catalogue in `base/errors.ts`. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  retry: z.string(),
  retryable: z.boolean().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Output of `atlas_sync` and `operation_wait`. `summary` says it in words: VS Code hands the model this object alone. */
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
  /** What the result does not speak of, in words; absent when there is nothing. */
  warnings: z.array(z.string()).optional(),
  error: ErrorBody.optional(),
});
export type SyncResult = z.infer<typeof SyncResult>;
