import type { Ref } from '../../base/brand.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { LiveMoved, LiveStructureChange } from '../../protocol/studio/live.ts';
import { NULL_REF, parseRef } from '../../roblox/values/ref.ts';
import type { ServedProject } from '../served-project.ts';
import { type CreatedInstances, createInstances, wroteFiles } from '../write/create-instances.ts';
import { moveIntoNew } from '../write/move-into-new.ts';
import { moveInstance, type MovedInStudio } from '../write/move-instance.ts';
import { independentRenames, renameInstances } from '../write/rename-instances.ts';
import type { WriteOutcome } from '../write/write-context.ts';
import type { LiveBase } from './live-base.ts';

const idOf = (text: string): Ref => parseRef(text) ?? NULL_REF;

const moveOf = ({ id, parentId, name, base }: LiveMoved): MovedInStudio => ({
  id: idOf(id),
  parentId: idOf(parentId),
  name,
  base: { parentId: idOf(base.parentId), name: base.name },
});

export interface WriteStructureDeps {
  readonly served: ServedProject;
  readonly files: FileSystem;
  readonly transactions: FileTransactions;
  readonly base?: LiveBase | undefined;
  /** Called after each transaction, so that a later one that fails does not hide the files of an earlier one. */
  readonly onStructure: (written: WrittenStructure) => void;
}

/** Files that a live session created, renamed or moved, as in Studio. */
export interface WrittenStructure {
  readonly kind: LiveStructureChange['kind'];
  /** The record in History. */
  readonly runId: string;
  /** Paths of names below the root, at least one. */
  readonly paths: readonly string[];
}

/** Writes new, renamed and moved instances of Studio to the files. The outcomes are in the order of the changes. */
export async function writeStructure(
  changes: readonly LiveStructureChange[],
  { served, files, transactions, base, onStructure }: WriteStructureDeps,
  signal: AbortSignal,
): Promise<readonly WriteOutcome[]> {
  const { session, feed, writer } = served;
  const context = { session, feed, files, transactions, signal };
  const outcomes = new Map<LiveStructureChange, WriteOutcome>();
  // A new instance may have a name that another one had before it was renamed.
  const renames = changes.flatMap(change =>
    change.kind === 'renamed' ? [{ id: idOf(change.id), name: change.name, base: change.base, change }] : [],
  );
  for (const group of independentRenames(renames, session)) {
    const made = await writer.inTurn(() => renameInstances(group, context), signal);
    const ids: Ref[] = [];
    const paths: string[] = [];
    for (const [index, { id, change }] of group.entries()) {
      const outcome = made.outcomes[index];
      if (outcome === undefined) continue;
      outcomes.set(change, outcome);
      if (outcome.outcome !== 'written') continue;
      ids.push(id);
      paths.push(outcome.what);
    }
    if (ids.length > 0) base?.learnRenamed(ids);
    if (made.runId !== undefined && paths.length > 0) onStructure({ kind: 'renamed', runId: made.runId, paths });
  }
  for (const change of changes) {
    if (change.kind !== 'moved') continue;
    const into = changes.find(other => other.kind === 'created' && other.instance.id === change.parentId);
    if (into?.kind !== 'created' || outcomes.has(into)) continue;
    const created = { parentId: idOf(into.parentId), studio: into.instance };
    const { outcome, runId } = await writer.inTurn(
      () => moveIntoNew({ created, move: moveOf(change) }, context),
      signal,
    );
    outcomes.set(into, outcome);
    outcomes.set(change, outcome);
    if (outcome.outcome !== 'written') continue;
    base?.learnCreated([created]);
    if (runId !== undefined) onStructure({ kind: 'moved', runId, paths: [outcome.what] });
  }
  const news = changes.filter(change => change.kind === 'created').filter(change => !outcomes.has(change));
  if (news.length > 0) {
    const created = news.map(({ parentId, instance }) => ({ parentId: idOf(parentId), studio: instance }));
    const create = async (): Promise<CreatedInstances> => {
      const planned = await base?.beforeCreate(created);
      const made = await createInstances(created, context, planned?.agreed);
      const written = created.filter((_, index) => made.outcomes[index]?.outcome === 'written');
      planned?.abandon(created.filter((_, index) => !wroteFiles(made.outcomes[index])));
      if (written.length > 0) base?.learnCreated(written);
      return made;
    };
    const made = await writer.inTurn(create, signal);
    for (const [index, change] of news.entries()) {
      const outcome = made.outcomes[index];
      if (outcome !== undefined) outcomes.set(change, outcome);
    }
    const paths = made.outcomes.flatMap(({ what, outcome }) => (outcome === 'written' ? [what] : []));
    if (made.runId !== undefined && paths.length > 0) onStructure({ kind: 'created', runId: made.runId, paths });
  }
  for (const change of changes) {
    if (change.kind !== 'moved' || outcomes.has(change)) continue;
    const { outcome, runId } = await writer.inTurn(() => moveInstance(moveOf(change), context), signal);
    outcomes.set(change, outcome);
    // Another instance may be created in its former place before Studio gets the change.
    if (outcome.outcome === 'written' && session.get(idOf(change.id)) === undefined)
      await base?.beforeChange([{ id: idOf(change.id), names: 'all' }]);
    if (runId !== undefined && outcome.outcome === 'written')
      onStructure({ kind: 'moved', runId, paths: [outcome.what] });
  }
  return changes.map(one => outcomes.get(one) ?? { what: '', outcome: 'failed', reason: reasonOf('not_planned') });
}
