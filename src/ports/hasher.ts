import type { PausableWork } from '../base/time-slice.ts';

export interface Hasher {
  /**
   * SHA-1 of `blob <byte length>\0<bytes>`, 40 lower-case hex digits: a git blob id, and the `studioHash` of a script. A text is hashed as
   * UTF-8.
   */
  gitBlob(content: Uint8Array | string): string;
  /** Computes `gitBlob` with pauses, for large files. */
  gitBlobPausable(bytes: Uint8Array): PausableWork<string>;
  /** SHA-256, 64 lower-case hex digits. A text is hashed as UTF-8. */
  sha256(content: Uint8Array | string): string;
}
