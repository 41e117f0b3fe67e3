import * as z from 'zod';
import { CommandAnswer } from './command-answer.ts';

const Note = z.object({ path: z.string(), reason: z.string() });

/**
 * What `atlas-bridge syncback --json --confirm` prints before it waits for a `yes`: the plan in parts, since it may be long, then
 * `asking`. Paths as seen from the project folder, files before folders.
 */
export const SyncbackEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('part'),
    writing: z.array(z.string()).default([]),
    removing: z.array(z.string()).default([]),
    /** What of the place cannot be brought into files. */
    refused: z.array(Note).default([]),
    /** What is left as it is. */
    notes: z.array(Note).default([]),
  }),
  z.object({ event: z.literal('asking') }),
]);
export type SyncbackEvent = z.infer<typeof SyncbackEvent>;
export type SyncbackPart = Extract<SyncbackEvent, { event: 'part' }>;

/** The whole of a plan. */
export type SyncbackPreview = Omit<SyncbackPart, 'event'>;

/** The last line after a question: what was done (`ok`: all of the place), or why nothing was. */
export const SyncbackAnswer = z.union([
  z.object({ ok: z.boolean(), written: z.number(), removed: z.number(), refused: z.array(Note), notes: z.array(Note) }),
  CommandAnswer.options[1],
]);
export type SyncbackAnswer = z.infer<typeof SyncbackAnswer>;
