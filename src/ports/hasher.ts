import type { PausableWork } from '../base/time-slice.ts';

export interface Hasher {
  /** SHA-1 of `blob <byte length>\0<bytes>`, 40 lower-case hex digits: what git calls a blob id and spec 000 a `studioHash`. */
  gitBlob(bytes: Uint8Array): string;
  /** The same with pauses, for large files. */
  gitBlobPausable(bytes: Uint8Array): PausableWork<string>;
  /** SHA-256, 64 lower-case hex digits. A text is hashed as UTF-8. */
  sha256(content: Uint8Array | string): string;
}
