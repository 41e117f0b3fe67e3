import { nameOfPath } from '../../protocol/path-name.ts';
import { isScriptClass } from '../../protocol/script-class.ts';
import { withUnixLineEnds } from '../../base/line-ends.ts';
import { sourceHash } from '../../roblox/instances/script-source.ts';
import { AppError } from '../../base/errors.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import type { ReadInstance } from '../../protocol/studio/messages.ts';
import type { Compared, StudioChange, StudioInstance } from '../../protocol/studio/stream.ts';
import type { Place } from '../../protocol/sync-result.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { RecordedSide, RecordedTree, RestorePlan } from './restore-plan.ts';

interface RestoreStudioDeps {
  readonly link: StudioLink;
  readonly hasher: Hasher;
  readonly clock: Clock;
  /** The revision of the tree, which a review watches. */
  readonly revision: () => number;
}

/** The text of a recorded script, and its git blob id. */
interface RecordedText {
  readonly text: string;
  readonly hash: string;
}

const emptyComparison = (place: Place, messageCursor: number): Compared => ({
  type: 'compared',
  requestId: '',
  place,
  messageCursor,
  changes: [],
  overrides: [],
});

type Parents = NonNullable<JournalItem['parents']>;

/**
 * Restores Studio's side of a recorded run: builds a tree of the recorded instances with their ancestors and compares Studio with it. Every
 * difference is a change, which a push restores.
 */
export async function restoreStudio({ record, items }: RecordedSide, deps: RestoreStudioDeps): Promise<RestorePlan> {
  const work = recordedTree(items, deps.hasher);
  const { tree, absent, parentsOf, texts } = await runInSlices(work, new TimeSlice(deps.clock));
  const itemAt = new Map(items.map(item => [item.path, item]));
  return {
    link: deps.link,
    recordedText: ({ studio }) => texts.get(studio.id)?.text,
    async compare(signal, onProgress) {
      if (items.length === 0) return { compared: emptyComparison(record.place, deps.revision()), changes: [] };
      if (tree === undefined)
        throw new AppError('INVALID_INPUT', { problems: `run ${record.runId} has no record of Studio's side` });
      const compared = await deps.link.compare([], signal, onProgress, tree);
      // Siblings of an instance that did not exist then are not in the recorded tree, so they are not changes of the restore.
      const wanted = compared.changes.filter(change => change.patchType !== 'Remove' || absent.has(keyOf(change)));
      const found = Map.groupBy(wanted, keyOf);
      // Only a person knows which of several instances with one class and name did not exist then.
      const isClear = (change: StudioChange): boolean =>
        change.patchType !== 'Remove' || (found.get(keyOf(change))?.length ?? 0) <= (absent.get(keyOf(change)) ?? 0);
      const changes = wanted.map(change => toChange(change, isClear(change), itemAt, parentsOf, texts));
      return { compared: { ...compared, messageCursor: deps.revision(), changes: wanted }, changes };
    },
  };
}

/** The path of a child in the recorded tree, from which its id is computed: siblings of different classes may have one name. */
const pathBelow = (path: string, { name, className }: Parents[number]): string => `${path}/${name}\n${className}`;

/** Identifies instances as Studio matches them: siblings of different classes may have one name. */
const keyOf = ({ path, className }: { readonly path: string; readonly className: string }): string =>
  `${className}\n${path}`;

/**
 * Builds the tree of the recorded instances with their ancestors.
 *
 * @returns `tree`: `undefined` if the items record nothing. `absent`: by `keyOf`, how many instances that exist now did not exist.
 * `parentsOf` and `texts`: by the ids of the tree
 */
export function* recordedTree(items: readonly JournalItem[], hasher: Hasher) {
  const instances: Record<string, ReadInstance> = {};
  const children = new Map<string, string[]>();
  const watched = new Set<string>();
  const absent = new Map<string, number>();
  const parentsOf = new Map<string, Parents>();
  const texts = new Map<string, RecordedText>();
  const idOf = (path: string): string => hasher.gitBlob(`node ${path}`).slice(0, 32);
  const rootId = idOf('');
  const put = (path: string, parent: string, node: Pick<ReadInstance, 'Name' | 'ClassName' | 'Properties'>): string => {
    const id = idOf(path);
    if (instances[id] === undefined) {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [id]);
      else siblings.push(id);
    }
    instances[id] = { Id: id, Parent: parent, Children: [], Metadata: { ignoreUnknownInstances: true }, ...node };
    return id;
  };
  function* putStudio(
    studio: StudioInstance,
    path: string,
    parent: string,
    parents: Parents,
    name: string,
  ): PausableWork<void> {
    yield;
    const { className, source, properties } = studio;
    const id = put(path, parent, {
      Name: name,
      ClassName: className,
      Properties: { ...properties, ...(source === undefined ? {} : { Source: { String: withUnixLineEnds(source) } }) },
    });
    parentsOf.set(id, parents);
    if (source !== undefined && isScriptClass(className))
      texts.set(id, { text: withUnixLineEnds(source), hash: sourceHash(source, hasher) });
    const below = [...parents, { name, className }];
    const distinct = distinctPaths();
    for (const child of studio.children)
      yield* putStudio(child, distinct(pathBelow(path, child)), id, below, child.name);
  }
  const distinct = distinctPaths();
  put('', NULL_REF, { Name: 'record', ClassName: 'DataModel', Properties: {} });
  const removed = new Set(items.flatMap(item => (item.studio === null ? [keyOf(item)] : [])));
  for (const item of items) {
    yield;
    const { parents } = item;
    // Removing an instance that did not exist removes everything below it.
    if (parents === undefined || isBelow(parents, removed) || (parents.length === 0 && item.studio === null)) continue;
    let parent = rootId;
    let path = '';
    for (const { name, className } of parents) {
      path = pathBelow(path, { name, className });
      const id = idOf(path);
      parent =
        instances[id] === undefined ? put(path, parent, { Name: name, ClassName: className, Properties: {} }) : id;
    }
    if (item.studio === null) {
      watched.add(parent);
      absent.set(keyOf(item), (absent.get(keyOf(item)) ?? 0) + 1);
    } else {
      // The run renamed it, so the plugin finds it by its new name.
      const renamed = variantFromWire(item.properties?.['Name']?.incoming);
      const name = renamed.ok && renamed.value.type === 'String' ? renamed.value.value : item.studio.name;
      const studio = changedPart(item, item.studio, hasher);
      const own = pathBelow(path, { name: nameOfPath(item), className: studio.className });
      yield* putStudio(studio, distinct(own), parent, parents, name);
    }
  }
  for (const [id, node] of Object.entries(instances)) {
    yield;
    instances[id] = {
      ...node,
      Children: children.get(id) ?? [],
      Metadata: { ignoreUnknownInstances: !watched.has(id) },
    };
  }
  const isEmpty = parentsOf.size === 0 && absent.size === 0;
  const tree: RecordedTree | undefined = isEmpty ? undefined : { rootId, instances };
  return { tree, absent, parentsOf, texts };
}

/** The part of an edited instance that the push changed: the record has the rest too, which may have changed since. */
function changedPart(item: JournalItem, studio: StudioInstance, hasher: Hasher): StudioInstance {
  if (item.patchType !== 'Edit' || item.choice === 'skip') return studio;
  const changed = item.properties ?? {};
  const properties = Object.fromEntries(Object.entries(studio.properties).filter(([name]) => name in changed));
  const { source, ...rest } = studio;
  return { ...rest, ...(source === undefined || isOnDisk(source, item, hasher) ? {} : { source }), properties };
}

/** Whether the file of a script had the same text, so that the push did not change it. */
function isOnDisk(source: string, { files, fsPath }: JournalItem, hasher: Hasher): boolean {
  const text = withUnixLineEnds(source);
  const blobs = [text, text.replaceAll('\n', '\r\n')].map(one => hasher.gitBlob(one));
  return files.some(({ path, blob }) => path === fsPath && blob !== null && blobs.includes(blob));
}

/** Returns a function that makes the paths of siblings with the same name distinct. Ids are computed from paths. */
function distinctPaths(): (path: string) => string {
  const counts = new Map<string, number>();
  return path => {
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return count === 0 ? path : `${path}\0${count}`;
  };
}

function isBelow(parents: Parents, removed: ReadonlySet<string>): boolean {
  let path = '';
  return parents.some(({ name, className }) => {
    path = path === '' ? name : `${path}/${name}`;
    return removed.has(keyOf({ path, className }));
  });
}

/**
 * A change that a push restores, with the record in the role of disk.
 *
 * @param isClear whether it is clear that the record differs in this instance
 */
function toChange(
  studio: StudioChange,
  isClear: boolean,
  itemAt: ReadonlyMap<string, JournalItem>,
  parentsOf: ReadonlyMap<string, Parents>,
  texts: ReadonlyMap<string, RecordedText>,
): RunChange {
  const parents = parentsOf.get(studio.id) ?? itemAt.get(studio.path)?.parents;
  return {
    studio,
    disk: undefined,
    fsPath: null,
    diskHash: texts.get(studio.id)?.hash,
    diskState: undefined,
    sides: { hasBase: false, parts: [], hasDraft: false, isOlderInStudio: false },
    defaultSelection: isClear ? 'push' : null,
    defaultReason: isClear ? 'restored' : 'removal',
    override: undefined,
    choice: isClear ? 'push' : null,
    reason: undefined,
    outcome: undefined,
    ...(parents === undefined ? {} : { parents }),
  };
}
