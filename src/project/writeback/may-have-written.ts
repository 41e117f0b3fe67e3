import type { FileEdit, FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { failureReasons } from '../../protocol/failure-reasons.ts';
import type { Reason } from '../../protocol/reason.ts';

type FailureCode = keyof typeof failureReasons;
const CHANGED_BEFORE: FailureCode = 'changed_since_comparison';
const UNCERTAIN: readonly string[] = ['write_timed_out', 'changed_after_write'] satisfies readonly FailureCode[];

/**
 * Whether an edit that failed may have changed its file nevertheless: a write can fail when it is flushed or read back, and a disk that does
 * not answer may write later.
 */
export async function mayHaveWritten(
  { path, precondition }: FileEdit,
  reason: Reason,
  files: Pick<FileSystem, 'stat' | 'read'>,
  hasher: Pick<Hasher, 'gitBlob'>,
): Promise<boolean> {
  const code = codeOf(reason);
  if (code === CHANGED_BEFORE) return false;
  if (UNCERTAIN.includes(code)) return true;
  try {
    const stat = await files.stat(path);
    if (precondition.kind === 'absent') return stat !== undefined;
    if (precondition.kind === 'emptyFolder') return stat === undefined;
    return stat?.kind !== 'file' || hasher.gitBlob(await files.read(path)) !== precondition.gitBlob;
  } catch {
    // A file that cannot be read may have been written.
    return true;
  }
}

/** The code of the failure itself: other files may have been written before it. */
function codeOf({ code, args: [cause] }: Reason): string {
  return code === 'partly_written' && typeof cause === 'object' ? cause.code : code;
}
