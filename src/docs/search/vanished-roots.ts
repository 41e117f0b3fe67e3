import type { RootPath } from '../../base/root-path.ts';
import type { OpenRoot, UncoveredPart } from '../scope/open-scope.ts';
import type { RetrievalDeps } from '../scope/retrieval-deps.ts';

/** Finds the roots that were removed or became unreadable during a search. Without this check, they look like roots without hits. */
export async function vanishedRoots(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
): Promise<readonly UncoveredPart[]> {
  const vanished: UncoveredPart[] = [];
  for (const root of roots) {
    // For a search, a root that cannot be read is as unavailable as a missing one.
    const kind = await deps.files.kindOf(root, '' as RootPath).catch(() => undefined);
    if (kind !== 'directory') vanished.push({ root: root.id, reason: 'ROOT_UNAVAILABLE' });
  }
  return vanished;
}
