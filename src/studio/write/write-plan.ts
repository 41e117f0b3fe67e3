import { AppError } from '../../base/errors.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
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
): Promise<{ readonly runId?: string; readonly problem?: string }> {
  try {
    const transaction = await transactions.begin({ requestedBy: 'Live Sync', title, edits });
    let written: Awaited<ReturnType<typeof writeEdits>> = { done: [], overwritten: [] };
    await session.writeAlone(renamed, async () => {
      written = await writeEdits(edits, files);
    });
    const { done, problem } = written;
    const missing = edits.filter(({ path }) => !done.includes(path));
    await transaction.finish(new Map(missing.map(({ path }) => [path, problem ?? 'not written'])));
    await session.refresh(signal, done);
    return { runId: transaction.runId, ...(problem !== undefined && { problem }) };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: AppError.from(error).message };
  }
}
