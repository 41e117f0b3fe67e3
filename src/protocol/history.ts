import * as z from 'zod';
import { ChangeOutcome, Choice, Place, SyncMode, SyncStatus } from './sync.ts';

/** `running`: goes on now. `interrupted`: cut off by a crash. `recorded`: no run, but kept while Studio was connected. */
const RecordedStatus = z.enum([...SyncStatus.options, 'running', 'interrupted', 'recorded']);
export type RecordedStatus = z.infer<typeof RecordedStatus>;

/** One change of a recorded run, and what of it can be brought back. */
export const RecordedChange = z.object({
  id: z.string(),
  path: z.string(),
  className: z.string(),
  patchType: z.string(),
  choice: Choice,
  fsPath: z.string().nullable(),
  outcome: ChangeOutcome.optional(),
  reason: z.string().optional(),
});
export type RecordedChange = z.infer<typeof RecordedChange>;

export const RecordedRun = z.object({
  runId: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  endedAt: z.string().optional(),
  requestedBy: z.string(),
  mode: SyncMode,
  place: Place,
  status: RecordedStatus,
  summary: z.string(),
  changeCount: z.number(),
  /** The first of them, or all. */
  changes: z.array(RecordedChange),
});
export type RecordedRun = z.infer<typeof RecordedRun>;
