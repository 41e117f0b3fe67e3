import * as z from 'zod';
import { ChangePage } from './sync-page.ts';
import { Choice, SyncMode } from './sync-request.ts';
import { ChangeOutcome, Place, SyncStatus } from './sync-result.ts';

/**
 * `running`: in progress. `interrupted`: stopped by a crash. `recorded`: changes outside a run, of Live Sync, a `.pt` sync or a command.
 * `unreadable`: the record is damaged or of another version.
 */
const RecordedStatus = z.enum([...SyncStatus.options, 'running', 'interrupted', 'recorded', 'unreadable']);
export type RecordedStatus = z.infer<typeof RecordedStatus>;

/** One change of a recorded run. */
export const RecordedChange = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string().optional().describe('The last name of the path, if it contains a `/`.'),
  className: z.string(),
  patchType: z.string(),
  choice: Choice,
  fsPath: z.string().nullable(),
  movedFrom: z.string().optional().describe('The former path of a renamed or moved file.'),
  movedTo: z
    .string()
    .optional()
    .describe('The new path of a renamed or moved file, which is another change of the run.'),
  /** The sides that it changed, which a restore can bring back. */
  sides: z.array(z.enum(['disk', 'studio'])).readonly(),
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
  /** The side that the run restored; absent for a sync. */
  restoredSide: z.enum(['disk', 'studio']).optional(),
  status: RecordedStatus,
  summary: z.string(),
  changeCount: z.number(),
  /** The changes of a page, or the first ones. */
  changes: z.array(RecordedChange),
  /** The counts of changes outside the page; only where one run is listed. */
  page: ChangePage.optional(),
});
export type RecordedRun = z.infer<typeof RecordedRun>;
