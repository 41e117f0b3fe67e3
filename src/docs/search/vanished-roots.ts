import type { RootPath } from '../../base/root-path.ts';
import type { OpenRoot, Skipped } from '../scope/open-scope.ts';
import type { RetrievalDeps } from '../scope/retrieval-deps.ts';

/** Finds the roots that vanished during a search. Without this check, they look like roots without hits. */
export async function vanishedRoots(deps: RetrievalDeps, roots: readonly OpenRoot[]): Promise<readonly Skipped[]> {
  const vanished: Skipped[] = [];
  for (const root of roots) {
    const kind = await deps.files.kindOf(root, '' as RootPath).catch(() => undefined);
    if (kind !== 'directory') vanished.push({ root: root.id, reason: 'ROOT_UNAVAILABLE' });
  }
  return vanished;
}
