import { MAX_RUN_PULLS, MAX_RUN_TEXT_BYTES } from '../../protocol/limits.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { Instances, StudioInstance } from '../../protocol/studio/stream.ts';
import { ScriptProperties } from '../../roblox/instances/script-properties.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { READ_BATCH_SIZE, readInStudio } from './read-in-studio.ts';
import type { RunChange } from './run-change.ts';

type Reply = Pick<Instances, 'instances' | 'missingBecause'>;
type Incomplete = NonNullable<Instances['incomplete']>;

export interface ReadChanges extends Reply {
  readonly incomplete: Incomplete;
  /** The changes that one run applies. */
  readonly within: readonly RunChange[];
  /** The others. */
  readonly beyond: readonly RunChange[];
  /** The limit that the changes within reach; `undefined` if there are no others. */
  readonly beyondBecause?: Reason;
}

/**
 * Reads the Studio side of the changes, in their order, until the texts of both sides exceed `MAX_RUN_TEXT_BYTES`, because a run has both
 * sides in memory until they are recorded, or until `MAX_RUN_PULLS` changes write files. The first batch is always read whole.
 */
export async function readWithinLimits(
  changes: readonly RunChange[],
  compareId: string,
  { link, session }: { readonly link: Pick<StudioLink, 'read'>; readonly session: Pick<ProjectSession, 'descendants'> },
  signal: AbortSignal,
): Promise<ReadChanges> {
  const instances: StudioInstance[] = [];
  const incomplete: Incomplete = [];
  let missingBecause: Reply['missingBecause'];
  let size = 0;
  let pulls = 0;
  for (let from = 0; from < changes.length; from += READ_BATCH_SIZE) {
    const beyondBecause =
      size > MAX_RUN_TEXT_BYTES
        ? reasonOf('texts_too_large', MAX_RUN_TEXT_BYTES / 2 ** 20)
        : pulls >= MAX_RUN_PULLS
          ? reasonOf('too_many_pulls', MAX_RUN_PULLS)
          : undefined;
    if (beyondBecause !== undefined)
      return {
        instances,
        incomplete,
        missingBecause,
        within: changes.slice(0, from),
        beyond: changes.slice(from),
        beyondBecause,
      };
    const batch = changes.slice(from, from + READ_BATCH_SIZE);
    const ids = batch.filter(change => change.studio.patchType !== 'Add').map(change => change.studio.id);
    const reply = await readInStudio(link, compareId, ids, signal);
    missingBecause ??= reply.missingBecause;
    incomplete.push(...(reply.incomplete ?? []));
    for (const instance of reply.instances) {
      instances.push(instance);
      size += sizeInStudio(instance);
    }
    for (const change of batch) {
      size += sizeOnDisk(change, session);
      if (change.choice !== 'push') pulls += 1;
    }
  }
  return { instances, incomplete, missingBecause, within: changes, beyond: [] };
}

function sizeInStudio({ source, children }: StudioInstance): number {
  let size = source?.length ?? 0;
  for (const child of children) size += sizeInStudio(child);
  return size;
}

/** The texts that a run replaces or removes on disk, or writes into Studio. */
function sizeOnDisk({ disk, studio, choice }: RunChange, session: Pick<ProjectSession, 'descendants'>): number {
  if (disk === undefined) return 0;
  // Additions are listed one by one, but the removal of one from disk includes those below it.
  if (studio.patchType === 'Edit' || choice === 'push') return textSize(disk);
  let size = 0;
  for (const instance of session.descendants(disk.id)) size += textSize(instance);
  return size;
}

function textSize({ properties }: Instance): number {
  if (properties instanceof ScriptProperties) return properties.byteLength;
  const source = properties.get('Source');
  return source?.type === 'String' ? source.value.length : 0;
}
