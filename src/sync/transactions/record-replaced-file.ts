import type { ProjectPath } from '../../base/brand.ts';
import { toJournalEntry } from '../../protocol/journal/changes-outside-run.ts';
import type { FileTransactionsDeps } from './file-transactions.ts';

/** A file whose content a command replaces as a whole. */
export interface ReplacedFile {
  readonly path: ProjectPath;
  /** The content before. */
  readonly bytes: Uint8Array;
  /** The content after, for the diff of the record; `undefined`: not known yet, or too large. */
  readonly content?: Uint8Array | undefined;
  /** The command, as people read it. */
  readonly requestedBy: string;
}

/**
 * Records a file before a command replaces it, so that a restore brings it back. Resolves with the id of the record.
 *
 * @throws AppError STATE_NOT_WRITABLE; then nothing may be written
 */
export async function recordReplacedFile(
  { path, bytes, content, requestedBy }: ReplacedFile,
  { journal, hasher, random, clock, limits, log }: Omit<FileTransactionsDeps, 'files'>,
): Promise<string> {
  const runId = random.uuid();
  const before = hasher.gitBlob(bytes);
  const blobs = new Map([[before, bytes]]);
  const after = content && hasher.gitBlob(content);
  if (content !== undefined && after !== undefined) blobs.set(after, content);
  const file = { id: path, path, className: 'File', patchType: 'Edit' as const, choice: 'pull' as const, fsPath: path };
  const { record, ending } = toJournalEntry({
    runId,
    at: clock.date(),
    requestedBy,
    place: path,
    items: [{ ...file, files: [{ path, blob: before }], studio: null }],
    summary: `Recorded ${path} before ${requestedBy} replaced it.`,
  });
  const write = after && { ids: [path], path, kind: 'write' as const, before, after, blob: after };
  await journal.append(runId, { ...record, ...(write && { writes: [write] }) }, blobs, ending);
  await journal.prune(limits()).catch((error: unknown) => log.error('failed to prune the journal', error));
  return runId;
}
