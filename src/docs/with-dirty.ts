import type { Answer } from './scope/answer.ts';
import type { RetrievalDeps } from './scope/retrieval-deps.ts';

interface Cited {
  readonly root: string;
  readonly path: string;
}

/** Sets `meta.dirty` if a file that the answer cites differs from the commit in `meta.commits`. */
export async function withDirty<Result>(
  deps: RetrievalDeps,
  answer: Answer<Result>,
  citedBy: (result: Result) => readonly Cited[],
): Promise<Answer<Result>> {
  const commits = Object.entries(answer.meta.commits);
  if (commits.length === 0) return answer;
  const { roots, policy } = await deps.configuration();
  const cited = citedBy(answer.result);
  for (const [id, commit] of commits) {
    const root = roots.find(one => one.id === id);
    const paths = cited.filter(one => one.root === id).map(one => one.path);
    if (root === undefined || paths.length === 0) continue;
    if (await deps.checkouts.isChanged(root, policy.cache, commit, paths))
      return { ...answer, meta: { ...answer.meta, dirty: true } };
  }
  return answer;
}
