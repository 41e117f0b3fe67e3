import type { ProjectPath } from '../base/brand.ts';
import type { FileEdit } from './file-system.ts';
import type { Reason } from '../protocol/reason.ts';

/** Several writes that belong together. */
export interface TransactionRequest {
  /** The program or person that asked, as people read it. */
  readonly requestedBy: string;
  /** The title in the history: `Save of 3 modules`. */
  readonly title: string;
  /** In the order of execution. */
  readonly edits: readonly FileEdit[];
}

/** A recorded transaction. Without `finish`, the next start treats it as interrupted and completes it. */
export interface FileTransaction {
  readonly runId: string;
  /** Records the end; never rejects, because the next start can do it too. @param failed why edits were not made, by path */
  finish(failed: ReadonlyMap<ProjectPath, Reason>): Promise<void>;
}

/** Records writes to several files before the first one, so that a crash in between leaves all of them or none. */
export interface FileTransactions {
  /** Resolves once the old and the new content are on disk. @throws AppError STATE_NOT_WRITABLE; then nothing may be written */
  begin(request: TransactionRequest): Promise<FileTransaction>;
}
