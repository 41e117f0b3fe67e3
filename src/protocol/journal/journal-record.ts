/** Entries of the journal of runs. Only Atlas Bridge reads and writes them, but another version may have written them. */
import * as z from 'zod';
import { ReasonOrText } from '../reason.ts';
import { StudioInstance } from '../studio/stream.ts';
import { Choice, SyncMode } from '../sync-request.ts';
import { ChangeOutcome, ErrorBody, Place, PropertyChange, SyncStatus } from '../sync-result.ts';

/** One decided change: both sides as they were before the run changed anything. */
export const JournalItem = z.object({
  id: z.string(),
  path: z.string(),
  /** The last name of the path, if it contains a `/` itself. */
  name: z.string().optional(),
  className: z.string(),
  patchType: z.string(),
  choice: Choice,
  fsPath: z.string().nullable(),
  /** The previous files. `blob` names the bytes in the journal; `null`: there was no file. */
  files: z.array(z.object({ path: z.string(), blob: z.string().nullable() }).readonly()).readonly(),
  /** The previous state in Studio; `null` if the instance did not exist there. */
  studio: StudioInstance.nullable(),
  /**
   * The replaced and the written text, if the change is a part of its files: a declaration of a `.pt`. They name bytes in the journal;
   * `null`: none.
   */
  texts: z.object({ before: z.string().nullable(), after: z.string().nullable() }).readonly().optional(),
  /** Properties that differed, with the values of both sides. */
  properties: z.record(z.string(), PropertyChange).optional(),
  /** The ancestors below the DataModel, outermost first. Without them, the Studio side cannot be restored. */
  parents: z
    .array(z.object({ name: z.string(), className: z.string() }).readonly())
    .readonly()
    .optional(),
});
export type JournalItem = Readonly<z.infer<typeof JournalItem>>;

/** A planned write to a file or folder. Hashes are git blob ids; `null`: no file. */
export const JournalWrite = z.object({
  /** The items that this write implements. */
  ids: z.array(z.string()).readonly(),
  path: z.string(),
  kind: z.enum(['write', 'remove', 'removeFolder']),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The name of the bytes to write. */
  blob: z.string().nullable(),
  /**
   * Identifies the file with the content `before` when the record was made. Another file with that content was written since, such as by a
   * person who reverted the change. Absent for a file that the write creates, for folders, and in records of older versions.
   */
  file: z.object({ inode: z.number(), mtimeMs: z.number() }).readonly().optional(),
  /** The topmost folder that the write creates; absent if the folder of the file exists, and in records of older versions. */
  newFolder: z.string().optional(),
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
  /** The side that the run restored; absent for a sync, and in records of older versions. */
  restoredSide: z.enum(['disk', 'studio']).optional(),
  items: z.array(JournalItem).readonly(),
  /** In the order of execution. */
  writes: z.array(JournalWrite).readonly().optional(),
});
export type JournalRecord = Readonly<z.infer<typeof JournalRecord>>;

/** The time of a record, without the rest of it. */
export const RecordTime = JournalRecord.pick({ at: true });

/** Studio confirmed its side of the pulls `ids` and applied the pushes `applied`. After this note, files are written. */
export const JournalNote = z.object({
  kind: z.literal('confirmed'),
  ids: z.array(z.string()).readonly(),
  applied: z.array(z.string()).readonly(),
});
export type JournalNote = Readonly<z.infer<typeof JournalNote>>;

/**
 * `recorded`: changes outside a run, of Live Sync, a `.pt` sync or a command. `interrupted`: a crash stopped the run, and a later start
 * recovered it.
 */
const JournalStatus = z.enum([...SyncStatus.options, 'recorded', 'interrupted']);
export type JournalStatus = z.infer<typeof JournalStatus>;

/** The sides that a change changed although it failed or its outcome is unknown, or may have changed. */
const PartialEffect = z.object({
  /** The paths of the files. */
  files: z.array(z.string()).readonly(),
  studio: z.boolean(),
});
export type PartialEffect = Readonly<z.infer<typeof PartialEffect>>;

const JournalOutcome = z
  .object({
    id: z.string(),
    outcome: ChangeOutcome,
    reason: ReasonOrText.optional(),
    /** Absent for other outcomes, and in records of older versions. */
    effect: PartialEffect.readonly().optional(),
  })
  .readonly();

export const JournalEnding = z.object({
  at: z.string(),
  status: JournalStatus,
  /** For agents, in English. */
  summary: z.string(),
  /** The error that ended the run, from which the summary for a person is made. */
  error: ErrorBody.optional(),
  outcomes: z.array(JournalOutcome).readonly(),
});
export type JournalEnding = Readonly<z.infer<typeof JournalEnding>>;
