import { splitPaths } from '../protocol/path-name.ts';
import type { Ref } from '../base/brand.ts';
import type { PausableWork } from '../base/time-slice.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { PendingChange } from '../sync/pending-changes.ts';
import { type GameNode, parentInstanceOf } from './game-node.ts';

/**
 * How an instance relates to the project. `untracked`: no file describes it, and no sync removes it. `unknown`: nothing was compared yet.
 */
export type SyncState = 'synced' | 'differs' | 'onlyInStudio' | 'onlyOnDisk' | 'untracked' | 'unknown';

/** The differences that the last comparison found, by instance. */
export interface Differences {
  readonly isKnown: boolean;
  stateOf(node: GameNode): SyncState;
  /** The change of exactly this instance. */
  changeOf(node: GameNode): PendingChange | undefined;
  /** The number of changes below the instance. */
  countBelow(node: GameNode): number;
  /** Refs of the children that only the project has. `undefined`: those of the place. */
  addedBelow(parent: Ref | undefined): readonly Ref[];
  /** Refs of all instances that only the project has, in any order. */
  added(): readonly Ref[];
}

export const noDifferences: Differences = {
  isKnown: false,
  stateOf: node => (node.kind === 'instance' && node.side === 'disk' ? 'onlyOnDisk' : 'unknown'),
  changeOf: () => undefined,
  countBelow: () => 0,
  addedBelow: () => [],
  added: () => [],
};

type Change = PendingChange;

/** Assigns the changes of a comparison to instances. An `Add` or `Edit` has a Ref, a `Remove` the id that Studio gave the instance. */
export function* findDifferences(changes: readonly Change[], session: ProjectSession): PausableWork<Differences> {
  const namesOf = splitPaths(changes);
  const byId = new Map<string, Change>();
  const below = new Map<string, number>();
  const added = new Map<Ref, Ref[]>();
  for (const change of changes) {
    yield;
    byId.set(change.id, change);
    const instance = change.patchType === 'Remove' ? undefined : session.get(change.id as Ref);
    if (change.patchType === 'Add' && instance !== undefined) {
      const siblings = added.get(instance.parent);
      if (siblings === undefined) added.set(instance.parent, [instance.id]);
      else siblings.push(instance.id);
    }
    const first = instance === undefined ? parentByNames(session, namesOf(change)) : instance.parent;
    for (let at = session.get(first); at !== undefined && at.id !== session.rootId; at = session.get(at.parent))
      below.set(at.id, (below.get(at.id) ?? 0) + 1);
  }
  const changeOf = (node: GameNode): Change | undefined =>
    node.kind === 'range' ? undefined : (byId.get(node.ref ?? node.id) ?? byId.get(node.id));
  return {
    isKnown: true,
    changeOf,
    stateOf: node => stateOf(node, changeOf),
    countBelow: node => (node.kind === 'range' ? 0 : (below.get(node.ref ?? '') ?? 0)),
    addedBelow: parent => added.get(parent ?? session.rootId) ?? [],
    added: () => topsOf(added),
  };
}

/** Omits instances below another one that only the project has: a search of that one finds them. */
function topsOf(added: ReadonlyMap<Ref, readonly Ref[]>): readonly Ref[] {
  const all = new Set(Array.from(added.values()).flat());
  return Array.from(added)
    .filter(([parent]) => !all.has(parent))
    .flatMap(([, children]) => children);
}

function stateOf(node: GameNode, changeOf: (node: GameNode) => Change | undefined): SyncState {
  if (node.kind === 'range') return 'unknown';
  if (node.side === 'disk') return 'onlyOnDisk';
  const change = changeOf(node);
  if (change?.patchType === 'Edit') return 'differs';
  if (node.ref !== undefined) return 'synced';
  // A removal includes everything below the instance.
  for (let at: GameNode | undefined = node; at?.kind === 'instance' && at.ref === undefined; at = parentInstanceOf(at))
    if (changeOf(at)?.patchType === 'Remove') return 'onlyInStudio';
  return 'untracked';
}

/** The deepest instance of the project on a path of names. Stops above a name that several siblings have, because it is ambiguous. */
function parentByNames(session: ProjectSession, names: readonly string[]): Ref {
  let at = session.rootId;
  for (const name of names.slice(0, -1)) {
    const [only, ...others] = (session.get(at)?.children ?? []).filter(id => session.get(id)?.name === name);
    if (only === undefined || others.length > 0) return at;
    at = only;
  }
  return at;
}
