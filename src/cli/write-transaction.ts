import { createFileRunLock } from '../adapters/node/file-run-lock.ts';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { runLockFile } from '../adapters/node/state-folder.ts';
import { AppError } from '../base/errors.ts';
import { counted } from '../base/plural.ts';
import type { FileTransactions, TransactionRequest } from '../ports/file-transactions.ts';
import { reasonOf, reasonText } from '../protocol/reason.ts';
import { writeEdits } from '../project/writeback/write-edits.ts';
import type { CliIo } from './io.ts';
import { reportRecorded } from './report-recorded.ts';

/**
 * Writes several files as one transaction, while no sync changes the project. Prints how to restore those that it replaced.
 *
 * @throws AppError LOCKED_BY_OTHER_WINDOW, STATE_NOT_WRITABLE (nothing was written), FS_WRITE_FAILED, FILE_OVERWRITTEN
 */
export async function writeTransaction(
  request: TransactionRequest,
  folder: string,
  transactions: FileTransactions,
  io: CliIo,
): Promise<void> {
  const { edits } = request;
  if (edits.length === 0) return;
  const lock = await createFileRunLock(runLockFile(folder, io.env)).take(request.title);
  if (lock.holder !== undefined) throw new AppError('LOCKED_BY_OTHER_WINDOW', { runId: lock.holder });
  try {
    const transaction = await transactions.begin(request);
    const { done, problem, overwritten } = await writeEdits(edits, createNodeFileSystem(folder, nodeHasher));
    const failed = edits
      .filter(({ path }) => !done.includes(path))
      .map(({ path }) => [path, problem ?? reasonOf('not_planned')] as const);
    await transaction.finish(new Map(failed));
    const replaced = edits.filter(({ path, precondition }) => precondition.kind === 'hash' && done.includes(path));
    if (replaced.length > 0)
      reportRecorded(`the previous content of ${counted(replaced.length, 'file')}`, transaction.runId, folder, io);
    if (problem !== undefined) throw new AppError('FS_WRITE_FAILED', { file: folder, reason: reasonText(problem) });
    const [file] = overwritten;
    if (file !== undefined) throw new AppError('FILE_OVERWRITTEN', { file });
  } finally {
    await lock.release();
  }
}
