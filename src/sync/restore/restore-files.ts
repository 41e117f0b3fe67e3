import type { ProjectPath, Ref } from '../../base/brand.ts';
import { AppError, reviewRefused } from '../../base/errors.ts';
import { folderOf, isProjectPath, nameOf } from '../../base/project-path.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import type { StudioChange } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { PlannedWrite, RunChange } from '../changes/run-change.ts';
import { recordedMoves } from '../history/recorded-moves.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import { emptiedFolders, missingFolders } from './restore-folders.ts';
import type { RecordedSide, RestorePlan } from './restore-plan.ts';

interface RestoreFilesDeps {
  readonly files: FileSystem;
  readonly journal: Pick<JournalStore, 'readBlob'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
  /** The revision of the tree, which a review watches. */
  readonly revision: () => number;
}

interface RecordedFile {
  readonly path: ProjectPath;
  /** `null`: there was no file. */
  readonly blob: string | null;
}

/**
 * Restores the files of a recorded run: every file that differs from the record is a change that a pull restores, and a file that the run
 * renamed or moved is one change. So is every folder that the run created and that becomes empty.
 */
export function restoreFiles({ record, items }: RecordedSide, deps: RestoreFilesDeps): RestorePlan {
  const texts = new Map<string, string>();
  const { runId, place } = record;
  const recordedWrites = record.writes ?? [];
  // The other files of an instance are recorded too, but may have changed since.
  const written = record.writes && new Set(recordedWrites.map(({ path }) => path));
  const recorded = recordedFiles(items).filter(({ path }) => written?.has(path) ?? true);
  return {
    link: recordedLink(record.place.name, texts),
    async compare() {
      const changes: RunChange[] = [];
      const writes: PlannedWrite[] = [];
      const add = (difference: FileDifference): void => {
        const change = toChange(difference, deps.hasher);
        const { edit, former, was } = difference;
        if (was !== undefined) texts.set(change.studio.id, decode(was));
        changes.push(change);
        for (const one of former === undefined ? [edit] : [former, edit]) writes.push({ edit: one, changes: [change] });
      };
      const differences: FileDifference[] = [];
      for (const file of recorded) {
        const found = await compareFile(runId, file, deps);
        if (found !== undefined) differences.push(found);
      }
      const moves = recordedMoves({ items, writes: recordedWrites }, () => true);
      const { movedFrom } = await runInSlices(moves, new TimeSlice(deps.clock));
      for (const difference of joinMoves(differences, movedFrom)) add(difference);
      for (const edit of await missingFolders(recordedWrites, recorded, deps.files))
        add({ edit, now: undefined, was: edit.bytes });
      const edits = writes.map(({ edit }) => edit);
      for (const edit of await emptiedFolders(recordedWrites, edits, deps.files))
        add({ edit, now: undefined, was: undefined });
      const studio = changes.map(change => change.studio);
      const messageCursor = deps.revision();
      return {
        compared: { type: 'compared', requestId: '', place, messageCursor, changes: studio, overrides: [] },
        changes,
        writes,
      };
    },
  };
}

/** 32 hex digits, like any id. */
const idOf = (path: ProjectPath, hasher: Hasher): Ref => hasher.gitBlob(path).slice(0, 32) as Ref;

const isText = (bytes: Uint8Array | undefined): boolean => bytes?.includes(0) !== true;

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Lists each file once, because several changes of a run may share it. */
function recordedFiles(items: readonly JournalItem[]): readonly RecordedFile[] {
  const files = new Map<string, RecordedFile>();
  for (const item of items)
    for (const { path, blob } of item.files) {
      if (!isProjectPath(path)) throw new AppError('PATH_OUTSIDE_ROOT', { path });
      if (!files.has(path)) files.set(path, { path, blob });
    }
  return Array.from(files.values());
}

/** A file that differs from the record. `undefined`: no file; both are `undefined` for a folder. */
interface FileDifference {
  readonly edit: FileEdit;
  readonly now: Uint8Array | undefined;
  readonly was: Uint8Array | undefined;
  /** For a file that the run renamed or moved: writes its former path. `edit` removes the present one. */
  readonly former?: Extract<FileEdit, { readonly kind: 'write' }>;
}

/** Joins the creation of a former path with the removal of the path that the run gave the file. */
function joinMoves(
  differences: readonly FileDifference[],
  movedFrom: ReadonlyMap<string, string>,
): readonly FileDifference[] {
  const byPath = new Map<string, FileDifference>(differences.map(one => [one.edit.path, one]));
  const joined = new Map<FileDifference, FileDifference>();
  const others = new Set(differences);
  for (const [to, from] of movedFrom) {
    const removed = byPath.get(to);
    const created = byPath.get(from);
    if (removed?.edit.kind !== 'remove' || created?.edit.kind !== 'write' || created.now !== undefined) continue;
    joined.set(removed, { ...removed, was: created.was, former: created.edit });
    others.delete(created);
  }
  return Array.from(others, one => joined.get(one) ?? one);
}

async function compareFile(
  runId: string,
  { path, blob }: RecordedFile,
  { files, journal, hasher }: RestoreFilesDeps,
): Promise<FileDifference | undefined> {
  const stat = await files.stat(path);
  // Not a file in the record and not a file now: a folder or nothing in both cases.
  if (stat !== undefined && stat.kind !== 'file' && blob === null) return undefined;
  const now = stat?.kind === 'file' ? await files.read(path) : undefined;
  const was = blob === null ? undefined : await journal.readBlob(runId, blob);
  const hash = now && hasher.gitBlob(now);
  if (hash === (was && hasher.gitBlob(was))) return undefined;
  const precondition = hash === undefined ? ({ kind: 'absent' } as const) : ({ kind: 'hash', gitBlob: hash } as const);
  const edit: FileEdit =
    was === undefined ? { kind: 'remove', path, precondition } : { kind: 'write', path, bytes: was, precondition };
  return { now, was, edit };
}

/** A change that a pull restores, with the record in the role of Studio. */
function toChange({ edit, now, was, former }: FileDifference, hasher: Hasher): RunChange {
  const { path } = edit;
  const id = idOf(path, hasher);
  const isFolder = edit.precondition.kind === 'emptyFolder';
  const [name, formerName] = [nameOf(path), nameOf(former?.path ?? path)];
  const isSame = former !== undefined && now !== undefined && hasher.gitBlob(now) === hasher.gitBlob(former.bytes);
  const studio: StudioChange = {
    id,
    patchType: former !== undefined ? 'Edit' : edit.kind === 'remove' ? 'Add' : now === undefined ? 'Remove' : 'Edit',
    path,
    name,
    className: isFolder ? 'Folder' : 'File',
    // Relates a file to its folder, so that the folder stays while a person keeps the file.
    parentId: idOf(folderOf(path), hasher),
    sourceDiffers: [now, was].every(isText) && !isFolder && !isSame,
    ...(name === formerName
      ? {}
      : { properties: { Name: { current: { String: formerName }, incoming: { String: name } } } }),
  };
  return {
    studio,
    disk: now && diskSide(id, studio, decode(now)),
    fsPath: path,
    ...(former === undefined ? {} : { newFile: former.path }),
    diskHash: edit.precondition.kind === 'hash' ? edit.precondition.gitBlob : undefined,
    diskState: undefined,
    sides: { hasBase: false, parts: [], hasDraft: false, isOlderInStudio: false },
    defaultSelection: 'pull',
    defaultReason: 'restored',
    override: undefined,
    choice: 'pull',
    reason: undefined,
    outcome: undefined,
  };
}

/** The text of the file for the diff editor. */
const diskSide = (id: Ref, { name, className }: StudioChange, text: string): Instance => ({
  id,
  parent: NULL_REF,
  name,
  className,
  properties: new Map([['Source', { type: 'String', value: text }]]),
  children: [],
  metadata: {
    ignoreUnknownInstances: true,
    globIgnoredChildren: false,
    source: undefined,
    relevantPaths: [],
  },
});

/** Reads from the record instead of Studio; nothing can be applied there. */
function recordedLink(placeName: string, texts: ReadonlyMap<string, string>): StudioLink {
  const refuse = (): Promise<never> => Promise.reject(reviewRefused('restored_without_studio'));
  return {
    handle: '',
    epoch: 0,
    hello: {
      type: 'hello',
      twoWaySync: false,
      oneShotSync: true,
      confirmationBehavior: '',
      placeId: 0,
      placeName,
      placeVersion: 0,
      capabilities: [],
    },
    isOpen: () => true,
    onClosed: () => ({ [Symbol.dispose]() {} }),
    compare: refuse,
    apply: refuse,
    getScript: refuse,
    async read(_compareId, ids) {
      const instances = ids.flatMap(id => {
        const source = texts.get(id);
        return source === undefined ? [] : [{ id, name: '', className: '', source, properties: {}, children: [] }];
      });
      return { type: 'instances', requestId: '', instances, missing: ids.filter(id => !texts.has(id)) };
    },
  };
}
