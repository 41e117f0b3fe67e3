import type { ProjectPath, Ref } from '../../base/brand.ts';
import { AppError, reviewRefused } from '../../base/errors.ts';
import { isProjectPath } from '../../base/project-path.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import type { StudioChange } from '../../protocol/studio/stream.ts';
import { isScriptClass, type Instance } from '../../roblox/instances/instance.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { PlannedWrite, RunChange } from '../changes/run-change.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import type { RecordedSide, RestorePlan } from './restore-plan.ts';

interface RestoreFilesDeps {
  readonly files: FileSystem;
  readonly journal: Pick<JournalStore, 'readBlob'>;
  readonly hasher: Hasher;
  /** The revision of the tree, which a review watches. */
  readonly revision: () => number;
}

interface RecordedFile {
  readonly path: ProjectPath;
  readonly blob: string | null;
  readonly item: JournalItem;
}

/** Restores the files of a recorded run: every file that differs from the record is a change that a pull restores. */
export function restoreFiles({ record, items }: RecordedSide, deps: RestoreFilesDeps): RestorePlan {
  const texts = new Map<string, string>();
  const { runId, place } = record;
  const recorded = recordedFiles(items);
  return {
    link: recordedLink(record.place.name, texts),
    async compare() {
      const changes: RunChange[] = [];
      const writes: PlannedWrite[] = [];
      for (const file of recorded) {
        const found = await compareFile(runId, file, deps);
        if (found === undefined) continue;
        const change = toChange(file, found.now, found.was, deps.hasher);
        if (found.was !== undefined) texts.set(change.studio.id, decode(found.was));
        changes.push(change);
        writes.push({ edit: found.edit, changes: [change] });
      }
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

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Lists each file once, because several changes of a run may share it. */
function recordedFiles(items: readonly JournalItem[]): readonly RecordedFile[] {
  const files = new Map<string, RecordedFile>();
  for (const item of items)
    for (const { path, blob } of item.files) {
      if (!isProjectPath(path)) throw new AppError('PATH_OUTSIDE_ROOT', { path });
      if (!files.has(path)) files.set(path, { path, blob, item });
    }
  return Array.from(files.values());
}

async function compareFile(
  runId: string,
  { path, blob }: RecordedFile,
  { files, journal, hasher }: RestoreFilesDeps,
): Promise<
  { readonly now: Uint8Array | undefined; readonly was: Uint8Array | undefined; readonly edit: FileEdit } | undefined
> {
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
function toChange(
  { path, item }: RecordedFile,
  now: Uint8Array | undefined,
  was: Uint8Array | undefined,
  hasher: Hasher,
): RunChange {
  const id = hasher.gitBlob(path).slice(0, 32);
  const studio: StudioChange = {
    id,
    patchType: now === undefined ? 'Remove' : was === undefined ? 'Add' : 'Edit',
    path,
    name: path.split('/').at(-1) ?? path,
    className: item.className,
    parentId: NULL_REF,
    sourceDiffers: now !== undefined && was !== undefined && isScriptClass(item.className),
  };
  return {
    studio,
    disk: now && diskSide(id, studio, decode(now)),
    fsPath: path,
    diskHash: undefined,
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
const diskSide = (id: string, { name, className }: StudioChange, text: string): Instance => ({
  // 32 hex digits, like any id.
  id: id as Ref,
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
