import type { FileTransactions } from '../../ports/file-transactions.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { PullsPlan } from '../../project/project-session.ts';
import { writeGroups } from '../../project/writeback/write-edits.ts';
import { groupByPath } from './group-by-path.ts';
import { readWritten, type WriteContext } from './write-context.ts';

export type WritePlanContext = Pick<WriteContext, 'session' | 'files' | 'signal'> & {
  readonly transactions: FileTransactions;
};

/** Why pulls of a plan were not written, by their index in it, and the recorded transaction. */
export interface WrittenPlan {
  readonly runId?: string;
  readonly problems: ReadonlyMap<number, Reason>;
}

/**
 * Writes a plan as one transaction of Live Sync, and reads the files again. A file that cannot be written is a problem only of the pulls that
 * share it.
 */
export async function writePlan(
  { edits, renamed, pulls }: PullsPlan,
  title: string,
  { session, files, signal, transactions }: WritePlanContext,
): Promise<WrittenPlan> {
  const owners = pulls.map(pull => (pull.ok ? pull.paths : []));
  try {
    const transaction = await transactions.begin({ requestedBy: 'Live Sync', title, edits });
    const edited = new Set(edits.map(({ path }) => path));
    const groupOf = groupByPath(owners, edited);
    let written: Awaited<ReturnType<typeof writeGroups>> = { done: [], overwritten: [], failures: new Map() };
    await session.writeAlone(renamed, async () => {
      written = await writeGroups(edits, files, groupOf);
    });
    const { done, failures } = written;
    const finished = new Set(done);
    const missing = Array.from(edited).filter(path => !finished.has(path));
    const reasons = new Map(
      missing.map(path => [path, failures.get(groupOf(path))?.problem ?? reasonOf('not_planned')] as const),
    );
    await transaction.finish(reasons);
    await readWritten(session, done);
    const problems = new Map<number, Reason>();
    for (const [index, paths] of owners.entries())
      for (const path of paths) {
        const reason = reasons.get(path);
        if (reason !== undefined) problems.set(index, reason);
      }
    return { runId: transaction.runId, problems };
  } catch (error) {
    signal.throwIfAborted();
    const reason = failureReason(error);
    return { problems: new Map(owners.map((_, index) => [index, reason])) };
  }
}
