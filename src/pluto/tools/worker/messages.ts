import type { ProjectPath } from '../../../base/brand.ts';
import { AppError, type ErrorCode } from '../../../base/errors.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { Finding } from '../../session/findings.ts';
import type { SessionChange } from '../../session/pluto-session.ts';
import type { UnsavedModule } from '../../session/unsaved-edits.ts';
import type { ViewLookRequest } from '../../session/views/look-at-view.ts';
import type { ViewSync, ViewSyncRequest } from '../../session/views/sync-view.ts';
import type { KeptLook } from '../../session/views/view-journal.ts';
import type { SeenView } from '../../session/views/view-modules.ts';
import type { ResourceSource } from '../../../mcp/resource.ts';
import type { ToolResult } from '../../../mcp/result.ts';

/** An `AppError` between two threads. */
export interface Failure {
  readonly code: ErrorCode;
  readonly details: object;
}
export type Answer<T> = Result<T, Failure>;

/** What the thread is started with. */
export interface ModulesWorkerData {
  /** Of the project, absolute. */
  readonly folder: string;
  readonly version: string;
}

/** Something that can be cancelled by its number. */
export interface Numbered {
  readonly call: number;
}

/** What the settings of the workspace say of overrides, when it is asked for. */
export interface RuleValues {
  readonly overridesApproval: 'auto' | 'ask' | 'never';
  readonly overridesRequirePrecondition: boolean;
}
type Crossing<R extends ViewLookRequest> = Omit<R, 'rules'> & { readonly rules: RuleValues | undefined };

/** Whether somebody keeps what is replaced: then `keep` is told, and `kept` is waited for. */
interface Journalled extends Numbered {
  readonly isKept: boolean;
}

/** What can be asked of the thread that keeps the modules of a project, each with one argument that can be cloned. */
export interface ModulesRpc {
  /** Answers when the modules are found. */
  opened(nothing: object): Promise<Answer<{ readonly modules: number }>>;
  call(
    wish: Numbered & {
      readonly name: string;
      readonly rawArguments: unknown;
      readonly requestedBy: string;
      /** Whether `progress` is to be told. */
      readonly hasProgress: boolean;
    },
  ): Promise<ToolResult>;
  resource(address: { readonly uri: string }): Promise<Answer<Awaited<ReturnType<ResourceSource['read']>>>>;
  unsaved(module: { readonly path: ProjectPath }): Promise<Answer<UnsavedModule>>;
  save(wish: Numbered & { readonly paths: readonly ProjectPath[] }): Promise<Answer<readonly Saved[]>>;
  findings(wish: Numbered & { readonly paths: ReadonlySet<string> }): Promise<Answer<readonly Finding[]>>;
  /** Looks at the disk where something may have changed. */
  refresh(hints: { readonly paths: ReadonlySet<ProjectPath> }): Promise<Answer<void>>;
  look(wish: Numbered & { readonly request: Crossing<ViewLookRequest> }): Promise<Answer<SeenView>>;
  sync(wish: Journalled & { readonly request: Crossing<ViewSyncRequest> }): Promise<Answer<ViewSync>>;
  writeInto(
    wish: Journalled & {
      readonly seen: Pick<SeenView, 'number' | 'view'>;
      readonly change: { readonly id: string; readonly text: string };
    },
  ): Promise<Answer<void>>;
  /** What was told with `keep` is kept, or is not. */
  kept(answer: Numbered & { readonly outcome: Answer<void> }): void;
  cancel(wish: Numbered & { readonly reason: Failure }): void;
  /** Answers when nothing is under way that was not begun after it. */
  settled(nothing: object): Promise<void>;
}

export type Saved =
  | { readonly path: ProjectPath; readonly kind: 'saved' }
  | { readonly path: ProjectPath; readonly kind: 'failed'; readonly failure: Failure };

/** What the thread tells without being asked. */
export type Notice =
  | { readonly told: 'changed'; readonly change: SessionChange; readonly dirty: readonly ProjectPath[] }
  | ({ readonly told: 'progress'; readonly message: string } & Numbered)
  | ({ readonly told: 'keep'; readonly look: KeptLook; readonly module: Uint8Array | undefined } & Numbered);

export const toFailure = (error: unknown): Failure => {
  const { code, details } = AppError.from(error);
  return { code, details };
};

/** Details are those of the code: whoever sent them had an `AppError`. */
export const fromFailure = ({ code, details }: Failure): AppError => new AppError(code, details as never);

export async function answered<T>(work: () => Promise<T>): Promise<Answer<T>> {
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
