import type { FileTransactions } from '../../ports/file-transactions.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { PullsPlan } from '../../project/project-session.ts';
import { writeEdits } from '../../project/writeback/write-edits.ts';
import type { WriteContext } from './write-context.ts';

export type WritePlanContext = Pick<WriteContext, 'session' | 'files' | 'signal'> & {
  readonly transactions: FileTransactions;
};

/** Writes a plan as one transaction of Live Sync, and reads the files again. */
export async function writePlan(
  { edits, renamed }: PullsPlan,
  title: string,
  { session, files, signal, transactions }: WritePlanContext,
): Promise<{ readonly runId?: string; readonly problem?: Reason }> {
  try {
    const transaction = await transactions.begin({ requestedBy: 'Live Sync', title, edits });
    let written: Awaited<ReturnType<typeof writeEdits>> = { done: [], overwritten: [] };
    await session.writeAlone(renamed, async () => {
      written = await writeEdits(edits, files);
    });
    const { done, problem } = written;
    const finished = new Set(done);
    const missing = edits.filter(({ path }) => !finished.has(path));
    await transaction.finish(new Map(missing.map(({ path }) => [path, problem ?? reasonOf('not_planned')])));
    await session.refresh(signal, done);
    return { runId: transaction.runId, ...(problem !== undefined && { problem }) };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: failureReason(error) };
  }
}
