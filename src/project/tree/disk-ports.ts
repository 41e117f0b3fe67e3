import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';

export interface DiskPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly hasher: Hasher;
}

/** Whether a read or a listing failed because there is no such file or folder. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR');
