import { link } from 'node:fs/promises';
import { hasErrorCode } from '../../base/errno.ts';

/** Creates a hard link. `unsupported`: by the disk, or for this file. */
export async function tryLink(from: string, to: string): Promise<'linked' | 'exists' | 'missing' | 'unsupported'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return 'exists';
    if (hasErrorCode(error, 'ENOENT')) return 'missing';
    if (hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK')) return 'unsupported';
    throw error;
  }
}
