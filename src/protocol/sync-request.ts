import * as z from 'zod';
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
