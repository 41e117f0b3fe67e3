import type { Agent } from './agent.ts';

/**
 * The first sync of a place that knows nothing of the project: everything on disk goes to Studio, by overrides that quote what they
 * replace. Resolves with how many changes were pushed. @throws Error with what the run said when it was no success
 */
export async function pushEverything(agent: Agent): Promise<number> {
  const { changes, status, summary, error } = await agent.sync({ mode: 'dryrun' });
  if (status === 'empty') return 0;
  if (status !== 'dryrun') throw new Error(`the dry run ended ${status}: ${error?.message ?? summary}`);
  const result = await agent.sync({
    mode: 'fastfail',
    overrides: changes.map(({ id, studioHash }) => ({
      id,
      direction: 'push' as const,
      ...(studioHash === undefined ? {} : { studioHash }),
    })),
  });
  if (result.status === 'success') return changes.length;
  const failures = result.changes.filter(change => change.outcome === 'failed' || change.direction === 'unresolved');
  const some = failures.slice(0, 5).map(change => `${change.path}: ${change.reason ?? change.direction}`);
  throw new Error(
    [`the first sync ended ${result.status}: ${result.error?.message ?? result.summary}`, ...some].join('\n'),
  );
}
