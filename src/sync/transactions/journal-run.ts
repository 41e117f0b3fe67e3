import type { ProjectPath } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { JournalEnding, JournalItem, JournalRecord } from '../../protocol/journal/journal-record.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { Place, SyncMode } from '../../protocol/sync.ts';
import type { RunResult } from '../../protocol/run-result.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { journalWrites } from './journal-writes.ts';
import type { PlannedChange, PlannedWrite, RunChange } from '../changes/run-change.ts';

/** Both sides of one decided change before the run changes them. */
interface BothSides {
  readonly change: RunChange;
  readonly studio: StudioInstance | undefined;
  /** The bytes of every file that the change is read from or written to; `undefined`: no such file. */
  readonly files: ReadonlyMap<ProjectPath, Uint8Array | undefined>;
}

interface JournalContent {
  readonly head: Omit<JournalRecord, 'version' | 'items' | 'writes'>;
  readonly sides: readonly BothSides[];
  /** In the order of execution. */
  readonly writes: readonly PlannedWrite[];
}

export interface JournalDeps {
  readonly hasher: Hasher;
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly clock: Clock;
  /** Returns the ancestors of a change; `undefined` if the tree takes no part. */
  readonly session: Pick<ProjectSession, 'get' | 'rootId'> | undefined;
}

interface JournalRequest {
  readonly runId: string;
  readonly mode: SyncMode;
  readonly requestedBy: string;
  readonly place: Place;
  readonly planned: readonly PlannedChange[];
  readonly writes: readonly PlannedWrite[];
}

/** Appends the record of a run before it changes anything: both sides of every change, and every write. */
export async function journalBothSides(request: JournalRequest, deps: JournalDeps): Promise<void> {
  const { runId, mode, requestedBy, place, planned, writes } = request;
  const pathsOf = new Map<RunChange, ProjectPath[]>();
  for (const { edit, changes } of writes)
    for (const change of changes) pathsOf.set(change, [...(pathsOf.get(change) ?? []), edit.path]);
  const bytesAt = new Map<ProjectPath, Uint8Array | undefined>();
  const sides: BothSides[] = [];
  for (const { change, studio } of planned) {
    const files = new Map<ProjectPath, Uint8Array | undefined>();
    for (const path of [change.fsPath, ...(pathsOf.get(change) ?? [])]) {
      if (path === null || files.has(path)) continue;
      if (!bytesAt.has(path)) {
        const stat = await deps.files.stat(path);
        bytesAt.set(path, stat?.kind === 'file' ? await deps.files.read(path) : undefined);
      }
      files.set(path, bytesAt.get(path));
    }
    sides.push({ change, studio, files });
  }
  const head = { runId, at: deps.clock.date(), mode, requestedBy, place };
  const { record, blobs } = buildJournal({ head, sides, writes }, deps);
  await deps.journal.append(runId, record, blobs);
}

/** The record and its blobs. The bytes of one file are stored once. */
function buildJournal(
  { head, sides, writes }: JournalContent,
  { hasher, session }: Pick<JournalDeps, 'hasher' | 'session'>,
): { readonly record: JournalRecord; readonly blobs: ReadonlyMap<string, Uint8Array> } {
  const blobs = new Map<string, Uint8Array>();
  const nameOf = new Map<ProjectPath, string | null>();
  const store = (path: ProjectPath, bytes: Uint8Array | undefined): string | null => {
    const known = nameOf.get(path);
    if (known !== undefined) return known;
    const name = bytes === undefined ? null : `file-${blobs.size}`;
    if (name !== null && bytes !== undefined) blobs.set(name, bytes);
    nameOf.set(path, name);
    return name;
  };
  const items = sides.map(({ change, studio, files }): JournalItem => ({
    id: change.studio.id,
    path: change.studio.path,
    className: change.studio.className,
    patchType: change.studio.patchType,
    choice: change.choice ?? 'skip',
    fsPath: change.fsPath,
    files: Array.from(files, ([path, bytes]) => ({ path, blob: store(path, bytes) })),
    studio: studio ?? null,
    ...(Object.keys(change.studio.properties ?? {}).length === 0 ? {} : { properties: change.studio.properties }),
    ...(session === undefined ? {} : { parents: [...(change.parents ?? parentsOf(change.studio.parentId, session))] }),
  }));
  const planned = journalWrites(
    writes.map(({ edit, changes }) => ({ edit, ids: changes.map(change => change.studio.id) })),
    blobs,
    hasher,
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

/** A decision that was taken back changed neither side. */
const takenBack = (direction: RunResult['changes'][number]['direction']): 'skipped' | undefined =>
  direction === 'unresolved' ? 'skipped' : undefined;

export const journalEnding = (result: RunResult, at: string): JournalEnding => ({
  at,
  status: result.status,
  summary: result.summary,
  outcomes: result.changes.flatMap(({ id, direction, outcome = takenBack(direction), reason }) =>
    outcome === undefined ? [] : [{ id, outcome, ...(reason === undefined ? {} : { reason }) }],
  ),
});
