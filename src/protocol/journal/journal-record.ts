/** What stands in the journal of runs. Written and read by this program alone, but maybe by another version of it. */
import * as z from 'zod';
import { StudioInstance } from '../studio/stream.ts';
import { ChangeOutcome, Choice, Place, SyncMode, SyncStatus } from '../sync.ts';

/** One decided change: both sides as they were before the run changed anything. */
export const JournalItem = z.object({
  id: z.string(),
  path: z.string(),
  className: z.string(),
  patchType: z.string(),
  choice: Choice,
  fsPath: z.string().nullable(),
  /** Files as they were; `blob` names the bytes in the journal, `null` = there was no file. */
  files: z.array(z.object({ path: z.string(), blob: z.string().nullable() }).readonly()).readonly(),
  /** The Studio side as it was; `null` for what Studio did not hold. */
  studio: StudioInstance.nullable(),
  /** What leads to it from below the DataModel, outermost first. Without it Studio's side cannot be restored. */
  parents: z
    .array(z.object({ name: z.string(), className: z.string() }).readonly())
    .readonly()
    .optional(),
});
export type JournalItem = Readonly<z.infer<typeof JournalItem>>;

/** One write to a file or folder, planned. Hashes are git blob ids; `null` = no file. */
export const JournalWrite = z.object({
  /** The items that it carries out. */
  ids: z.array(z.string()).readonly(),
  path: z.string(),
  kind: z.enum(['write', 'remove', 'removeFolder']),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Names the bytes to be written. */
  blob: z.string().nullable(),
});
export type JournalWrite = Readonly<z.infer<typeof JournalWrite>>;

export const JournalRecord = z.object({
  version: z.literal(1),
  runId: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  mode: SyncMode,
  requestedBy: z.string(),
  place: Place,
  items: z.array(JournalItem).readonly(),
  /** In the order in which they are made. */
  writes: z.array(JournalWrite).readonly().optional(),
});
export type JournalRecord = Readonly<z.infer<typeof JournalRecord>>;

/** Studio has answered: it confirmed its side of the pulls `ids`, and did the pushes `applied`. From here on files are written. */
export const JournalNote = z.object({
  kind: z.literal('confirmed'),
  ids: z.array(z.string()).readonly(),
  applied: z.array(z.string()).readonly(),
});
export type JournalNote = Readonly<z.infer<typeof JournalNote>>;

/** `recorded`: no run, but something that was kept while Studio was connected. `interrupted`: cut off, and looked after later. */
const JournalStatus = z.enum([...SyncStatus.options, 'recorded', 'interrupted']);
export type JournalStatus = z.infer<typeof JournalStatus>;

export const JournalEnding = z.object({
  at: z.string(),
  status: JournalStatus,
  summary: z.string(),
  outcomes: z
    .array(z.object({ id: z.string(), outcome: ChangeOutcome, reason: z.string().optional() }).readonly())
    .readonly(),
});
export type JournalEnding = Readonly<z.infer<typeof JournalEnding>>;
