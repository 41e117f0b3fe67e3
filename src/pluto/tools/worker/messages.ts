import type { ProjectPath } from '../../../base/brand.ts';
import { AppError, type ErrorCode } from '../../../base/errors.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { Finding } from '../../session/findings.ts';
import type { SessionChange } from '../../session/pluto-session.ts';
import type { UnsavedModule } from '../../session/unsaved-edits.ts';
import type { ViewSnapshotRequest } from '../../session/views/compare-with-module.ts';
import type { ViewSync, ViewSyncRequest } from '../../session/views/sync-view.ts';
import type { RecordedSnapshot } from '../../session/views/view-journal.ts';
import type { ComparedView, ViewReviewState } from '../../session/views/view-modules.ts';
import type { MergedDeclaration } from '../../session/views/write-into-view.ts';
import type { ResourceSource } from '../../../mcp/resource.ts';
import type { ToolResult } from '../../../mcp/result.ts';
import type { TransactionRequest } from '../../../ports/file-transactions.ts';
import type { Reason } from '../../../protocol/reason.ts';

/** An `AppError` that can be cloned to another thread. */
export interface Failure {
  readonly code: ErrorCode;
  readonly details: object;
}
export type Answer<T> = Result<T, Failure>;

/** The start data of the worker. */
export interface ModulesWorkerData {
  /** The absolute path of the project. */
  readonly folder: string;
  readonly version: string;
  /** Whether the starting thread records transactions. */
  readonly hasTransactions: boolean;
}

/** A call that can be cancelled by its number. */
export interface CallNumber {
  readonly call: number;
}

/** The override settings at the time of the call. */
export interface OverrideRuleValues {
  readonly overridesApproval: 'auto' | 'ask' | 'never';
  readonly overridesRequirePrecondition: boolean;
}
/** A transaction of the worker, which the starting thread records. */
export interface TransactionNumber {
  readonly transaction: number;
}

type Cloneable<R extends ViewSnapshotRequest> = Omit<R, 'rules'> & { readonly rules: OverrideRuleValues | undefined };

/** With `isRecorded`, the worker sends a `record` notice before it writes, and waits for `recorded`. */
interface RecordedCall extends CallNumber {
  readonly isRecorded: boolean;
}

/** Merged declarations of a comparison. */
interface MergeArgs {
  readonly compared: ComparedView;
  readonly merged: readonly MergedDeclaration[];
}

/** The methods of the worker that holds the modules of a project. Each takes one argument that can be cloned. */
export interface ModulesRpc {
  /** Resolves when the modules are found. */
  opened(nothing: object): Promise<Answer<{ readonly modules: number }>>;
  call(
    args: CallNumber & {
      readonly name: string;
      readonly rawArguments: unknown;
      readonly requestedBy: string;
      readonly hasProgress: boolean;
    },
  ): Promise<ToolResult>;
  resource(address: { readonly uri: string }): Promise<Answer<Awaited<ReturnType<ResourceSource['read']>>>>;
  unsaved(module: { readonly path: ProjectPath }): Promise<Answer<UnsavedModule>>;
  save(args: CallNumber & { readonly paths: readonly ProjectPath[] }): Promise<Answer<readonly SaveAnswer[]>>;
  findings(args: CallNumber): Promise<Answer<readonly Finding[]>>;
  /** Reads files that may have changed. */
  refresh(hints: { readonly paths: ReadonlySet<ProjectPath> | undefined }): Promise<Answer<void>>;
  compare(args: CallNumber & { readonly request: Cloneable<ViewSnapshotRequest> }): Promise<Answer<ViewReviewState>>;
  sync(args: RecordedCall & { readonly request: Cloneable<ViewSyncRequest> }): Promise<Answer<ViewSync>>;
  writeInto(args: RecordedCall & MergeArgs): Promise<Answer<void>>;
  checkMerge(args: CallNumber & MergeArgs): Promise<Answer<void>>;
  /** Answers a `record` notice. */
  recorded(answer: CallNumber & { readonly outcome: Answer<void> }): void;
  /** Answers a `begin` notice. */
  begun(answer: TransactionNumber & { readonly outcome: Answer<{ readonly runId: string }> }): void;
  cancel(args: CallNumber & { readonly reason: Failure }): void;
  /** Resolves when every call that started before it has ended. */
  settled(nothing: object): Promise<void>;
}

export type SaveAnswer =
  | { readonly path: ProjectPath; readonly kind: 'saved' }
  | { readonly path: ProjectPath; readonly kind: 'failed'; readonly failure: Failure };

/** A message that the worker sends without a request. */
export type Notice =
  | { readonly kind: 'changed'; readonly change: SessionChange; readonly dirty: readonly ProjectPath[] }
  | ({ readonly kind: 'progress'; readonly message: string } & CallNumber)
  /** The worker waits for `begun`. */
  | ({ readonly kind: 'begin'; readonly request: TransactionRequest } & TransactionNumber)
  | ({ readonly kind: 'finish'; readonly failed: ReadonlyMap<ProjectPath, Reason> } & TransactionNumber)
  | ({
      readonly kind: 'record';
      readonly snapshot: RecordedSnapshot;
      readonly module: Uint8Array | undefined;
    } & CallNumber);

export const toFailure = (error: unknown): Failure => {
  const { code, details } = AppError.from(error);
  return { code, details };
};

/** `details` fit the code, because they come from an `AppError`. */
export const fromFailure = ({ code, details }: Failure): AppError => new AppError(code, details as never);

export async function toAnswer<T>(work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return ok(await work());
  } catch (error) {
    return err(toFailure(error));
  }
}

/** @throws AppError */
export function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw fromFailure(answer.error);
  return answer.value;
}
