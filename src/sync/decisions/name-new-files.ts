import type { Logger } from '../../ports/logger.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { ProjectSession, PullRequest } from '../../project/project-session.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { readInStudio } from '../changes/read-in-studio.ts';
import type { RunChange } from '../changes/run-change.ts';

/** Maximum number of changes whose files are named during the comparison, because Studio is read for them. Pages name the others. */
const MAX_NAMED = 100;
/** Maximum number of instances that are read together. A larger folder has no name before it is pulled. */
const MAX_INSTANCES = 2000;

export interface NameNewFilesDeps {
  readonly link: Pick<StudioLink, 'read'>;
  readonly session: Pick<ProjectSession, 'get' | 'planPulls'>;
  readonly log: Logger;
}

/** Adds the file or folder that a pull would create to the changes that only Studio has. A failure leaves them without it. */
export async function nameNewFiles(
  changes: readonly RunChange[],
  compareId: string,
  { link, session, log }: NameNewFilesDeps,
  signal: AbortSignal,
): Promise<readonly RunChange[]> {
  const chosen = chooseNamed(changes);
  const files = await newFilesOf(chosen, compareId, { link, session, log }, signal);
  if (files.size === 0) return changes;
  return changes.map(change => {
    const newFile = files.get(change.studio.id);
    return newFile === undefined ? change : { ...change, newFile };
  });
}

/** The files of those changes that a pull would create, by the id of the change. A failure leaves them out. */
export async function newFilesOf(
  changes: readonly RunChange[],
  compareId: string,
  { link, session, log }: NameNewFilesDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ProjectPath>> {
  const files = new Map<string, ProjectPath>();
  try {
    for (const batch of inBatches(changes)) {
      const byId = new Map(batch.map(({ studio }) => [studio.id, studio]));
      const { instances } = await readInStudio(link, compareId, Array.from(byId.keys()), signal);
      const found = instances.flatMap((studio): PullRequest[] => {
        const change = byId.get(studio.id);
        const parentId = change && parseRef(change.parentId);
        const id = parseRef(studio.id);
        if (change?.patchType === 'Remove')
          return parentId === undefined ? [] : [{ kind: 'create' as const, parentId, studio }];
        return id === undefined ? [] : [{ kind: 'edit' as const, id, studio }];
      });
      const { pulls } = await session.planPulls(found, signal);
      for (const [at, pull] of pulls.entries()) {
        const request = found[at];
        if (pull.ok && pull.entry !== undefined && request !== undefined && 'studio' in request)
          files.set(request.studio.id, pull.entry);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    log.warn('could not name the files that pulls would create', { reason: String(error) });
  }
  return files;
}

/** Whether a pull of the change creates a file or gives one another name. */
const createsFile = ({ studio: { patchType, properties } }: RunChange): boolean =>
  patchType === 'Remove' || (patchType === 'Edit' && properties?.['Name'] !== undefined);

/** The changes whose files can be named, in batches of bounded size. */
function* inBatches(changes: readonly RunChange[]): Generator<readonly RunChange[]> {
  let batch: RunChange[] = [];
  let left = MAX_INSTANCES;
  for (const change of changes) {
    const count = change.studio.subtree?.count ?? 1;
    if (!createsFile(change) || change.newFile !== undefined || count > MAX_INSTANCES) continue;
    if (count > left) {
      yield batch;
      batch = [];
      left = MAX_INSTANCES;
    }
    batch.push(change);
    left -= count;
  }
  if (batch.length > 0) yield batch;
}

function chooseNamed(changes: readonly RunChange[]): readonly RunChange[] {
  const chosen: RunChange[] = [];
  let left = MAX_INSTANCES;
  for (const change of changes) {
    const { subtree } = change.studio;
    // It is decided; its file is named when the pull is planned.
    if (change.override?.verdict === 'accepted') continue;
    const count = subtree?.count ?? 1;
    if (!createsFile(change) || count > left) continue;
    left -= count;
    if (chosen.push(change) === MAX_NAMED) break;
  }
  return chosen;
}
