import * as z from 'zod';
import { CommandAnswer } from './command-answer.ts';

const Note = z.object({ path: z.string(), reason: z.string() });

/** Files of a plan that are listed, deletions first, because nothing else shows what a deleted file contains. A diff shows no more either. */
export const MAX_LISTED_FILES = 500;

/**
 * The output of `atlas-bridge syncback --json --confirm` before it waits for a `yes`: the plan in parts, because it can be long, then
 * `asking` with the number of all files. Paths are relative to the project folder.
 */
export const SyncbackEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('part'),
    writing: z.array(z.string()).default([]),
    removing: z.array(z.string()).default([]),
    /** Contents of the place that cannot be written to files. */
    refused: z.array(Note).default([]),
    /** Files that are not changed. */
    notes: z.array(Note).default([]),
  }),
  z.object({ event: z.literal('asking'), writing: z.number(), removing: z.number() }),
]);
export type SyncbackEvent = z.infer<typeof SyncbackEvent>;
type SyncbackPart = Extract<SyncbackEvent, { event: 'part' }>;

/** All parts of a plan combined. */
export interface SyncbackPreview extends Omit<SyncbackPart, 'event'> {
  /** The number of all files, which may be more than those listed. */
  readonly counts: { readonly writing: number; readonly removing: number };
}

/** The last line after confirmation: the result (`ok`: the whole place was written), or why nothing was done. */
export const SyncbackEnding = z.union([
  z.object({ ok: z.boolean(), written: z.number(), removed: z.number() }),
  CommandAnswer.options[1],
]);
type SyncbackEnding = z.infer<typeof SyncbackEnding>;

/** The ending, and what the plan omitted. */
export type SyncbackAnswer =
  | (Exclude<SyncbackEnding, { error: object }> & Pick<SyncbackPreview, 'refused' | 'notes'>)
  | Extract<SyncbackEnding, { error: object }>;
