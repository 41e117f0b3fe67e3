import { MAX_PAGE_CHANGES } from '../../src/protocol/sync-page.ts';
import type { Agent } from './agent.ts';

/**
 * Runs the first sync of a place with at most MAX_PAGE_CHANGES changes: pushes every change to Studio, with overrides that quote the replaced version. Resolves with the number of
 * pushed changes. @throws Error with the message of the run if it failed
 */
export async function pushEverything(agent: Agent): Promise<number> {
  const { changes, status, summary, error } = await agent.sync({ mode: 'dryrun', limit: MAX_PAGE_CHANGES });
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
