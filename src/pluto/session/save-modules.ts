import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { plural } from '../../base/plural.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
import type { FileEdit, FileSystem } from '../../ports/file-system.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import type { Reason } from '../../protocol/reason.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';

/** The result of saving one module. */
export type SaveResult =
  | { readonly path: ProjectPath; readonly kind: 'saved' }
  | { readonly path: ProjectPath; readonly kind: 'failed'; readonly error: AppError };

export interface PlannedSave {
  /** The module as it is after the save. */
  readonly state: LoadedModule;
  readonly edit: FileEdit & { readonly kind: 'write' };
}

/**
 * Writes modules, and reads them back. They are one transaction, because a rename changes a declaration and its references: after a crash,
 * all of them or none are written, and a restore brings the old ones back.
 *
 * @param isRecorded whether the caller has recorded a single module already
 * @throws AppError STATE_NOT_WRITABLE; then nothing was written
 */
export async function saveModules(
  planned: readonly PlannedSave[],
  { files, transactions }: { readonly files: FileSystem; readonly transactions?: FileTransactions | undefined },
  isRecorded: boolean,
): Promise<{ readonly results: readonly SaveResult[]; readonly saved: ReadonlyMap<ProjectPath, LoadedModule> }> {
  const edits = planned.map(({ edit }) => edit);
  const title = `Save of ${plural(edits.length, '1 Pluto module', `${edits.length} Pluto modules`)}`;
  const isTransaction = edits.length > (isRecorded ? 1 : 0);
  const transaction = isTransaction ? await transactions?.begin({ requestedBy: 'Pluto', title, edits }) : undefined;
  const results: SaveResult[] = [];
  const saved = new Map<ProjectPath, LoadedModule>();
  const failed = new Map<ProjectPath, Reason>();
  for (const { edit, state } of planned) {
    const { path, bytes, precondition } = edit;
    try {
      await files.replace(path, bytes, precondition);
      saved.set(path, state);
      results.push({ path, kind: 'saved' });
    } catch (failure) {
      const error = AppError.from(failure);
      failed.set(path, failureReason(error));
      results.push({ path, kind: 'failed', error });
    }
  }
  await transaction?.finish(failed);
  return { results, saved };
}
