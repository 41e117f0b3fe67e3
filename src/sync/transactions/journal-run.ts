import { namedPath } from '../../protocol/path-name.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileStat, FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type {
  JournalEnding,
  JournalItem,
  JournalRecord,
  PartialEffect,
} from '../../protocol/journal/journal-record.ts';
import { recordedReason } from '../../protocol/journal/recorded-reason.ts';
import type { RestoredSide } from '../../protocol/review.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { SyncMode } from '../../protocol/sync-request.ts';
import type { Place } from '../../protocol/sync-result.ts';
import type { RunResult } from '../../protocol/run-result.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { endBytesOf, findNewFolders, journalWrites } from '../../project/writeback/journal-writes.ts';
import { noteRecorded, type PlannedChange, type PlannedWrite, type RunChange } from '../changes/run-change.ts';

/** A file as it was. `blob`: its git blob id. */
interface RecordedFile {
  readonly blob: string;
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

/** Both sides of one decided change before the run changes them. */
interface BothSides {
  readonly change: RunChange;
  readonly studio: StudioInstance | undefined;
  /** Every file that the change is read from or written to; `undefined`: no such file. */
  readonly files: ReadonlyMap<ProjectPath, RecordedFile | undefined>;
}

interface JournalContent {
  readonly head: Omit<JournalRecord, 'version' | 'items' | 'writes'>;
  readonly sides: readonly BothSides[];
  /** In the order of execution. */
  readonly writes: readonly PlannedWrite[];
  readonly newFolders: ReadonlyMap<ProjectPath, ProjectPath>;
  readonly stats: ReadonlyMap<ProjectPath, FileStat>;
}

export interface JournalDeps {
  readonly hasher: Hasher;
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly clock: Clock;
  /** Returns the ancestors of a change; `undefined` if the tree takes no part. */
  readonly session: Pick<ProjectSession, 'get' | 'rootId'> | undefined;
}

/** A run with its plan: what the record says about it. */
export interface JournalRequest {
  readonly runId: string;
  readonly mode: SyncMode;
  readonly requestedBy: string;
  readonly place: Place;
  /** The side that the run restores; `undefined` for a sync. */
  readonly restoredSide: RestoredSide | undefined;
  /** All decided changes. */
  readonly planned: readonly PlannedChange[];
  /** All files that the pulls among `planned` write. */
  readonly writes: readonly PlannedWrite[];
}

/** Appends the record of a run before it changes anything: both sides of every change, and every write. */
export async function journalBothSides(request: JournalRequest, deps: JournalDeps): Promise<void> {
  const { runId, mode, requestedBy, place, restoredSide, planned, writes } = request;
  const pathsOf = new Map<RunChange, ProjectPath[]>();
  for (const { edit, changes } of writes)
    for (const change of changes) {
      const paths = pathsOf.get(change);
      // Not copied, because the removal of a folder can have thousands of files.
      if (paths === undefined) pathsOf.set(change, [edit.path]);
      else paths.push(edit.path);
    }
  const fileAt = new Map<ProjectPath, RecordedFile | undefined>();
  const sides: BothSides[] = [];
  const slice = new TimeSlice(deps.clock);
  for (const { change, studio } of planned) {
    await slice.yieldToEventLoop();
    const files = new Map<ProjectPath, RecordedFile | undefined>();
    for (const path of [change.fsPath, ...(pathsOf.get(change) ?? [])]) {
      if (path === null || files.has(path)) continue;
      if (!fileAt.has(path)) fileAt.set(path, await recordedFile(path, deps));
      files.set(path, fileAt.get(path));
    }
    sides.push({ change, studio, files });
  }
  const head = {
    runId,
    at: deps.clock.date(),
    mode,
    requestedBy,
    place,
    ...(restoredSide === undefined ? {} : { restoredSide }),
  };
  const edits = writes.map(({ edit }) => edit);
  const newFolders = await findNewFolders(edits, deps.files);
  const stats = new Map(Array.from(fileAt).flatMap(([path, file]) => (file === undefined ? [] : [[path, file.stat]])));
  const { record, blobs } = await runInSlices(buildJournal({ head, sides, writes, newFolders, stats }, deps), slice);
  const endBytes = await runInSlices(endBytesOf(record), slice);
  await deps.journal.append(runId, record, blobs, undefined, endBytes);
  for (const { change } of planned) noteRecorded(change);
}

async function recordedFile(
  path: ProjectPath,
  { files, hasher }: Pick<JournalDeps, 'files' | 'hasher'>,
): Promise<RecordedFile | undefined> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') return undefined;
  const bytes = await files.read(path);
  return { blob: hasher.gitBlob(bytes), bytes, stat };
}

/** The record and its blobs. Equal bytes are stored once. */
function* buildJournal(
  { head, sides, writes, newFolders, stats }: JournalContent,
  { hasher, session }: Pick<JournalDeps, 'hasher' | 'session'>,
): PausableWork<{ readonly record: JournalRecord; readonly blobs: ReadonlyMap<string, Uint8Array> }> {
  const blobs = new Map<string, Uint8Array>();
  const store = (file: RecordedFile | undefined): string | null => {
    if (file === undefined) return null;
    blobs.set(file.blob, file.bytes);
    return file.blob;
  };
  const itemOf = ({ change, studio, files }: BothSides): JournalItem => ({
    id: change.studio.id,
    ...namedPath(change.studio.path, change.studio.name),
    className: change.studio.className,
    patchType: change.studio.patchType,
    choice: change.choice ?? 'skip',
    fsPath: change.fsPath,
    files: Array.from(files, ([path, file]) => ({ path, blob: store(file) })),
    studio: studio ?? null,
    ...(Object.keys(change.studio.properties ?? {}).length === 0 ? {} : { properties: change.studio.properties }),
    ...(session === undefined ? {} : { parents: [...(change.parents ?? parentsOf(change.studio.parentId, session))] }),
  });
  const items: JournalItem[] = [];
  for (const both of sides) {
    items.push(itemOf(both));
    yield;
  }
  const planned = yield* journalWrites(
    writes.map(({ edit, changes }) => ({ edit, ids: changes.map(change => change.studio.id) })),
    newFolders,
    blobs,
    hasher,
    stats,
  );
  return { record: { version: 1, ...head, items, writes: planned }, blobs };
}

function parentsOf(
  parentId: string,
  session: Pick<ProjectSession, 'get' | 'rootId'>,
): { readonly name: string; readonly className: string }[] {
  const parents = [];
  const ref = parseRef(parentId);
  for (let at = ref && session.get(ref); at !== undefined && at.id !== session.rootId; at = session.get(at.parent))
    parents.unshift({ name: at.name, className: at.className });
  return parents;
}

/** The ending of a run in the journal. It has the outcomes of the changes in the record: no other changes have reserved disk space. */
export function journalEnding(result: RunResult, changes: readonly RunChange[], at: string): JournalEnding {
  const effects = new Map(
    changes.filter(change => change.isRecorded).map(change => [change.studio.id, effectOf(change)]),
  );
  // A withdrawn decision changed neither side, and so did a run that ended before its first command.
  const outcomeWithout = (direction: RunResult['changes'][number]['direction']): 'skipped' | undefined =>
    direction === 'unresolved' || result.outcome === 'refused' ? 'skipped' : undefined;
  return {
    at,
    status: result.status,
    summary: result.summary,
    ...(result.error === undefined ? {} : { error: result.error }),
    outcomes: result.changes.flatMap(({ id, direction, outcome = outcomeWithout(direction), reason }) => {
      const effect = effects.get(id);
      return outcome === undefined || !effects.has(id)
        ? []
        : [{ id, outcome, ...(reason && { reason: recordedReason(reason) }), ...(effect && { effect }) }];
    }),
  };
}

function effectOf({
  choice,
  outcome,
  writtenFiles = [],
  isRefusedInStudio = false,
}: RunChange): PartialEffect | undefined {
  return outcome === 'failed' || outcome === 'unknown'
    ? { files: writtenFiles, studio: choice !== 'pull' && !isRefusedInStudio }
    : undefined;
}
