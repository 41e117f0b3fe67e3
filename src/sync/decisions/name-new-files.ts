import type { Logger } from '../../ports/logger.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { readInStudio } from '../changes/read-in-studio.ts';
import type { RunChange } from '../changes/run-change.ts';

/** Changes of one comparison whose new files are named. Names depend on what Studio has, so it is read. */
const MAX_NAMED = 100;
/** Instances that are read for the names. */
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
  if (chosen.length === 0) return changes;
  try {
    const ids = chosen.map(({ studio }) => studio.id);
    const { instances } = await readInStudio(link, compareId, ids, signal);
    const parents = new Map(chosen.map(({ studio }) => [studio.id, parseRef(studio.parentId)]));
    const found = instances.flatMap(studio => {
      const parentId = parents.get(studio.id);
      return parentId === undefined ? [] : [{ kind: 'create' as const, parentId, studio }];
    });
    const { pulls } = await session.planPulls(found, signal);
    const files = new Map(pulls.map((pull, at) => [found[at]?.studio.id, pull.ok ? pull.entry : undefined]));
    return changes.map(change => {
      const newFile = files.get(change.studio.id);
      return newFile === undefined ? change : { ...change, newFile };
    });
  } catch (error) {
    signal.throwIfAborted();
    log.warn('could not name the files that pulls would create', { reason: String(error) });
    return changes;
  }
}

function chooseNamed(changes: readonly RunChange[]): readonly RunChange[] {
  const chosen: RunChange[] = [];
  let left = MAX_INSTANCES;
  for (const change of changes) {
    const { patchType, subtree } = change.studio;
    // It is decided; its file is named when the pull is planned.
    if (change.override?.verdict === 'accepted') continue;
    if (patchType !== 'Remove' || (left -= subtree?.count ?? 1) < 0) continue;
    if (chosen.push(change) === MAX_NAMED) break;
  }
  return chosen;
}
