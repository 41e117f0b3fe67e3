import * as z from 'zod';
import { CommandAnswer } from './command-answer.ts';

const Note = z.object({ path: z.string(), reason: z.string() });

/**
 * The output of `atlas-bridge syncback --json --confirm` before it waits for a `yes`: the plan in parts, because it can be long, then
 * `asking`. Paths are relative to the project folder; files come before folders.
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
  z.object({ event: z.literal('asking') }),
]);
export type SyncbackEvent = z.infer<typeof SyncbackEvent>;
type SyncbackPart = Extract<SyncbackEvent, { event: 'part' }>;

/** All parts of a plan combined. */
export type SyncbackPreview = Omit<SyncbackPart, 'event'>;

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
