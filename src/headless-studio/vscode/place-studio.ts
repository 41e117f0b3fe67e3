import type { Event } from '../../base/emitter.ts';

/** The result of a chunk: printed lines, and its return values or its error. */
export type ChunkResult = { readonly printed: readonly string[] } & (
  | { readonly ok: true; readonly values: readonly { readonly text: string }[] }
  | { readonly ok: false; readonly error: { readonly message: string } }
);

/** A headless Studio with an open place file; created by `startHeadlessStudio`. */
export interface PlaceStudio extends AsyncDisposable {
  readonly instances: number;
  /** Lines of Studio's output window. */
  readonly onLog: Event<{ readonly level: string; readonly message: string }>;
  /** `disconnected`, `connecting`, `connected`, `rejected: <reason>`. */
  readonly onStatus: Event<string>;
  status(): string;
  connect(port: number, host: string): void;
  /** Runs a chunk like Studio's command bar. An error in the chunk is returned, not thrown. @throws AppError STUDIO_DISCONNECTED */
  run(luau: string): Promise<ChunkResult>;
  /** The open place in the format of the file name. @throws AppError FS_WRITE_FAILED, STUDIO_NOT_RESPONDING, STUDIO_DISCONNECTED */
  format(file: string): Promise<Uint8Array>;
  readonly terminated: Promise<{ readonly kind: string; readonly reason: string }>;
}
