import type { ProjectSession } from '../../project/project-session.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TreeValidation } from '../../protocol/studio/messages.ts';

/** GET /api/validate-tree: checks every file, updates the tree and reports how many instances were out of date. */
export async function validateTree(session: ProjectSession, clock: Clock): Promise<TreeValidation> {
  const began = clock.now();
  let [added, removed, updated] = [0, 0, 0];
  const counting = session.onDidChange(({ before }) => {
    for (const [id, was] of before) {
      if (was === undefined) added += 1;
      else if (session.get(id) === undefined) removed += 1;
      else updated += 1;
    }
  });
  try {
    await session.refresh(new AbortController().signal);
  } finally {
    counting[Symbol.dispose]();
  }
  const isFresh = added + removed + updated === 0;
  return { isFresh, added, removed, updated, elapsedMs: clock.now() - began };
}
