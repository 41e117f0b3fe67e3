import type { Ref } from '../base/brand.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { AppError } from '../base/errors.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { PendingChange } from '../sync/pending-changes.ts';
import type { FoundInstance, Inspected, PlaceInstance } from '../protocol/studio/explorer.ts';
import { type Differences, noDifferences, type SyncState } from './differences.ts';
import { type GameNode, type InstanceNode, rowsOf } from './game-node.ts';
import { createProjectSource, describeInstance, type PlaceSource } from './place-source.ts';
import { sortByName, sortServices } from './sort-children.ts';
import { explorerServices } from '../protocol/studio/messages.ts';

export interface GameTreeDeps {
  readonly source: PlaceSource;
  /** The side of `source`. */
  readonly side: InstanceNode['side'];
  /** The project, whose instances that Studio lacks are shown too. */
  readonly session: () => ProjectSession | undefined;
  readonly clock: Clock;
}

/** Maximum number of hits of a search. */
const MAX_HITS = 200;
/** Milliseconds until a list or properties are read again after Studio was too busy to answer. */
const RETRY_MS = 3_000;
const isBusy = ({ code }: AppError): boolean => code === 'STUDIO_BUSY' || code === 'STUDIO_NOT_RESPONDING';
/** Maximum number of lists that are kept for the time after Studio disconnects; a person expands fewer. */
const MAX_KEPT_LISTS = 1_000;

export interface SearchHit extends FoundInstance, Pick<InstanceNode, 'side'> {}

/** The result of a search. `isComplete`: false if there are more hits. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly isComplete: boolean;
}

/** The tree of the Game view. Reads the children of an instance when they are first shown. */
export class GameTree {
  readonly #deps: GameTreeDeps;
  readonly #lists = new Map<string, Promise<readonly GameNode[]>>();
  /** The last rows of each list, which are shown when Studio disconnects before a forgotten list is read again. */
  readonly #lastRows = new Map<string, readonly GameNode[]>();
  readonly #nodes = new Map<string, InstanceNode>();
  readonly #closed = new AbortController();
  readonly #readAgain = new Emitter<InstanceNode | undefined>();
  #differences: Differences = noDifferences;
  #isFrozen = false;

  constructor(deps: GameTreeDeps) {
    this.#deps = deps;
  }

  /** Fires when the children or properties of an instance should be read again, because Studio was too busy; `undefined`: of the place. */
  get onReadAgain(): Event<InstanceNode | undefined> {
    return this.#readAgain.event;
  }

  /** How the instance relates to the project; `unknown` in a tree of the project alone. */
  stateOf(node: GameNode): SyncState {
    return this.#deps.side === 'disk' ? 'unknown' : this.#differences.stateOf(node);
  }

  changeOf(node: GameNode): PendingChange | undefined {
    return this.#differences.changeOf(node);
  }

  /** The number of changes below the instance. */
  countBelow(node: GameNode): number {
    return this.#differences.countBelow(node);
  }

  /** Reads the properties of an instance. `undefined` if they were not read before Studio disconnected. */
  async inspect(node: InstanceNode, signal: AbortSignal): Promise<Inspected | undefined> {
    const session = this.#deps.session();
    if (node.side === this.#deps.side) {
      if (this.#isFrozen) return undefined;
      try {
        return await this.#deps.source.inspect(node.id, signal);
      } catch (error) {
        throw this.#failed(error, node);
      }
    }
    return session && (await createProjectSource(session, this.#deps.clock).inspect(node.id, signal));
  }

  /** The listed instance with that id. */
  nodeWithId(id: string): InstanceNode | undefined {
    return this.#nodes.get(id);
  }

  /** The last comparison. Lists are read again if `isNew`: instances may have another Ref. */
  setDifferences(differences: Differences, isNew: boolean): void {
    this.#differences = differences;
    if (isNew) this.invalidate();
  }

  /** Forgets the children of these instances; an empty id is the place. Without ids, forgets everything. */
  invalidate(ids?: readonly string[]): void {
    if (this.#isFrozen) return;
    if (ids === undefined) {
      this.#lists.clear();
      this.#nodes.clear();
    } else for (const id of ids) this.#lists.delete(id);
  }

  /** Keeps what was read and reads nothing more, because Studio disconnected. */
  freeze(): void {
    this.#isFrozen = true;
    this.#closed.abort();
  }

  /** @throws AppError if Studio does not answer; the next call tries again */
  async children(parent: GameNode | undefined): Promise<readonly GameNode[]> {
    if (parent?.kind === 'range') {
      for (const node of parent.children) this.#nodes.set(node.id, node);
      return parent.children;
    }
    const id = parent?.id ?? '';
    const known = this.#lists.get(id);
    if (known !== undefined) return await known;
    if (this.#isFrozen || parent?.childCount === 0) return this.#rowsWithoutStudio(parent);
    const list = this.#read(parent);
    this.#lists.set(id, list);
    try {
      const rows = await list;
      // The children changed while they were read.
      return this.#lists.get(id) === list ? rows : await this.children(parent);
    } catch (error) {
      if (this.#lists.get(id) === list) this.#lists.delete(id);
      if (this.#isFrozen) return this.#rowsWithoutStudio(parent);
      throw this.#failed(error, parent);
    }
  }

  /** Returns the error, and schedules another try if Studio was too busy. */
  #failed(error: unknown, node: InstanceNode | undefined): AppError {
    const failure = AppError.from(error);
    if (isBusy(failure)) this.#deps.clock.after(RETRY_MS, () => this.#isFrozen || this.#readAgain.fire(node));
    return failure;
  }

  #rowsWithoutStudio(parent: InstanceNode | undefined): readonly GameNode[] {
    const kept = this.#isFrozen ? this.#lastRows.get(parent?.id ?? '') : undefined;
    return kept ?? (parent === undefined ? [] : this.#addedRows(parent));
  }

  #keep(id: string, rows: readonly GameNode[]): void {
    this.#lastRows.delete(id);
    this.#lastRows.set(id, rows);
    const oldest = this.#lastRows.keys().next();
    if (this.#lastRows.size > MAX_KEPT_LISTS && !oldest.done) this.#lastRows.delete(oldest.value);
  }

  /** Whether the row can be expanded. */
  hasChildren(node: GameNode): boolean {
    if (node.kind === 'range') return true;
    return node.childCount > 0 || (node.side === 'studio' && this.#added(node).length > 0);
  }

  /** Finds instances whose name or class contains every word of `text`, best hits first. */
  async find(text: string, signal: AbortSignal): Promise<SearchResult> {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '');
    if (words.length === 0 || this.#isFrozen) return { hits: [], isComplete: true };
    const top = (await this.children(undefined)).filter(node => node.kind === 'instance');
    const roots = top.filter(({ side }) => side === this.#deps.side).map(({ id }) => id);
    const { source, side, clock } = this.#deps;
    const session = this.#deps.session();
    const added = side === 'studio' && session !== undefined ? this.#differences.added() : [];
    const [found, onDisk] = await Promise.all([
      source.find({ words, roots, limit: MAX_HITS }, signal),
      session && added.length > 0
        ? createProjectSource(session, clock).find({ words, roots: added, limit: MAX_HITS }, signal)
        : undefined,
    ]);
    const hits = [
      ...found.hits.map(hit => ({ ...hit, side })),
      ...(onDisk?.hits ?? []).map(hit => ({ ...hit, side: 'disk' as const })),
    ];
    return { hits: rank(hits, words), isComplete: found.isComplete && onDisk?.isComplete !== false };
  }

  /** The row of a hit; `undefined` if the instance is no longer there. */
  async nodeOfHit({ id, above, side }: SearchHit): Promise<InstanceNode | undefined> {
    if (side !== this.#deps.side) return await this.nodeOf(id as Ref);
    return await this.#descend([...above, id], (groups, step) => positionOf(groups, node => node.id === step));
  }

  /** The row of an instance of the project; `undefined` if the place does not have it. */
  async nodeOf(ref: Ref): Promise<InstanceNode | undefined> {
    const session = this.#deps.session();
    const above: PlaceInstance[] = [];
    for (let at = session?.get(ref); at !== undefined; at = session?.get(at.parent)) {
      if (at.id === session?.rootId && at.className === 'DataModel') break;
      above.unshift(describeInstance(at));
    }
    if (above.length === 0) return undefined;
    return await this.#descend(above, positionInPlace);
  }

  async #descend<T>(
    steps: readonly T[],
    find: (groups: readonly (readonly PlaceInstance[])[], step: T) => PausableWork<Position | undefined>,
  ): Promise<InstanceNode | undefined> {
    const slice = new TimeSlice(this.#deps.clock);
    let at: InstanceNode | undefined;
    for (const step of steps) {
      const rows = await this.children(at);
      const ranges = rows.filter(row => row.kind === 'range');
      const plain = rows.filter(row => row.kind === 'instance');
      const found = await runInSlices(find([plain, ...ranges.map(({ instances }) => instances)], step), slice);
      if (found === undefined) return undefined;
      at = found.group === 0 ? plain[found.index] : ranges[found.group - 1]?.children[found.index];
      if (at === undefined) return undefined;
      this.#nodes.set(at.id, at);
    }
    return at;
  }

  async #read(parent: InstanceNode | undefined): Promise<readonly GameNode[]> {
    const { source, side, clock } = this.#deps;
    const from = parent?.side ?? side;
    const slice = new TimeSlice(clock);
    const listed = await (from === side ? source : this.#project()).children(parent?.id, this.#closed.signal);
    const added = from === 'studio' ? this.#added(parent) : [];
    const children = (parent === undefined ? listed.filter(one => this.#isShown(one)) : listed).concat(added);
    const sorted = parent === undefined ? sortServices(children) : await runInSlices(sortByName(children), slice);
    const ids = new Set(added.map(({ id }) => id));
    const rows = rowsOf(sorted, parent, ({ id }) => (ids.has(id) ? 'disk' : from));
    for (const row of rows) if (row.kind === 'instance') this.#nodes.set(row.id, row);
    this.#keep(parent?.id ?? '', rows);
    return rows;
  }

  /** Services as in Studio's Explorer, and what the project describes. */
  #isShown({ className, ref }: PlaceInstance): boolean {
    return (
      explorerServices.includes(className) || (ref !== undefined && this.#deps.session()?.get(ref as Ref) !== undefined)
    );
  }

  /** The project, for instances that Studio lacks. */
  #project(): PlaceSource {
    const session = this.#deps.session();
    if (session === undefined) throw new AppError('CANCELLED', { phase: 'reading the project' });
    return createProjectSource(session, this.#deps.clock);
  }

  #addedRows(parent: InstanceNode): readonly GameNode[] {
    return rowsOf(this.#added(parent), parent, () => 'disk');
  }

  /** Children that the project has and Studio lacks. */
  #added(parent: InstanceNode | undefined): readonly PlaceInstance[] {
    if (parent !== undefined && (parent.ref === undefined || parent.side === 'disk')) return [];
    const session = this.#deps.session();
    return this.#differences.addedBelow(parent?.ref as Ref | undefined).flatMap(id => {
      const instance = session?.get(id);
      return instance === undefined ? [] : [describeInstance(instance)];
    });
  }
}

/** A child among groups of children. */
interface Position {
  readonly group: number;
  readonly index: number;
}

function* positionOf(
  groups: readonly (readonly PlaceInstance[])[],
  isWanted: (node: PlaceInstance) => boolean,
): PausableWork<Position | undefined> {
  for (const [group, instances] of groups.entries()) {
    const index = instances.findIndex(isWanted);
    if (index >= 0) return { group, index };
    yield;
  }
  return undefined;
}

/** The position of an instance of the project among the children that the place lists. */
function* positionInPlace(
  groups: readonly (readonly PlaceInstance[])[],
  { ref, name, className }: PlaceInstance,
): PausableWork<Position | undefined> {
  const found = yield* positionOf(groups, node => node.ref !== undefined && node.ref === ref);
  if (found !== undefined) return found;
  // Before the first comparison no instance has a Ref. A name is enough if no sibling has it too.
  const named: Position[] = [];
  for (const [group, instances] of groups.entries()) {
    for (const [index, node] of instances.entries())
      if (node.className === className && (node.name === name || className === name)) named.push({ group, index });
    if (named.length > 1) return undefined;
    yield;
  }
  const [only] = named;
  return only !== undefined && groups[only.group]?.[only.index]?.ref === undefined ? only : undefined;
}

/** Names that equal the text first, then names that begin with it, names that contain every word, and hits by class. */
function rank(hits: readonly SearchHit[], words: readonly string[]): readonly SearchHit[] {
  const text = words.join(' ');
  const scoreOf = ({ name }: SearchHit): number => {
    const lower = name.toLowerCase();
    if (lower === text) return 0;
    if (lower.startsWith(text)) return 1;
    return words.every(word => lower.includes(word)) ? 2 : 3;
  };
  return hits
    .map(hit => ({ hit, score: scoreOf(hit) }))
    .sort((a, b) => a.score - b.score)
    .map(({ hit }) => hit);
}
