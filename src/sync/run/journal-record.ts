import type { ProjectPath } from '../../base/brand.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalEnding, JournalItem, JournalRecord, JournalWrite } from '../../protocol/journal/journal-record.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { SyncResult } from '../../protocol/sync.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { PlannedWrite } from './planned-write.ts';

/** What stood on both sides of one decided change. */
export interface BothSides {
  readonly change: RunChange;
  readonly studio: StudioInstance | undefined;
  /** Bytes of every file that the change comes from or will be written to; `undefined` = no such file. */
  readonly files: ReadonlyMap<ProjectPath, Uint8Array | undefined>;
}

export interface JournalPlan {
  readonly head: Omit<JournalRecord, 'version' | 'items' | 'writes'>;
  readonly sides: readonly BothSides[];
  /** In the order in which they will be made. */
  readonly writes: readonly PlannedWrite[];
}

interface JournalDeps {
  readonly hasher: Hasher;
  /** What leads to a change in the tree. */
  readonly session: Pick<ProjectSession, 'get' | 'rootId'> | undefined;
}

/** The record and its blobs; the bytes of one file are stored once. */
export function buildJournal(
  { head, sides, writes }: JournalPlan,
  { hasher, session }: JournalDeps,
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
    ...(session === undefined ? {} : { parents: [...(change.parents ?? parentsOf(change.studio.parentId, session))] }),
  }));
  const planned = writes.map(({ edit, changes }): JournalWrite => {
    const ids = changes.map(change => change.studio.id);
    const { path, precondition } = edit;
    const before = precondition.kind === 'hash' ? precondition.gitBlob : null;
    if (edit.kind === 'remove')
      return {
        ids,
        path,
        kind: precondition.kind === 'emptyFolder' ? 'removeFolder' : 'remove',
        before,
        after: null,
        blob: null,
      };
    const blob = `after-${blobs.size}`;
    blobs.set(blob, edit.bytes);
    return { ids, path, kind: 'write', before, after: hasher.gitBlob(edit.bytes), blob };
  });
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

export const journalEnding = (result: SyncResult, at: string): JournalEnding => ({
  at,
  status: result.status,
  summary: result.summary,
  outcomes: result.changes.flatMap(({ id, outcome, reason }) =>
    outcome === undefined ? [] : [{ id, outcome, ...(reason === undefined ? {} : { reason }) }],
  ),
});
