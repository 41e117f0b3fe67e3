import type { Event } from '../../base/emitter.ts';

/** How a chunk ended; `printed` are the lines that it printed, `values` what it returned. */
export type ChunkResult = { readonly printed: readonly string[] } & (
  | { readonly ok: true; readonly values: readonly { readonly text: string }[] }
  | { readonly ok: false; readonly error: { readonly message: string } }
);

/** A headless Studio over a place file; `headless-studio` makes one. */
export interface PlaceStudio extends AsyncDisposable {
  readonly instances: number;
  /** Lines of Studio's output window. */
  readonly onLog: Event<{ readonly level: string; readonly message: string }>;
  /** `disconnected`, `connecting`, `connected`, `rejected: <reason>`. */
  readonly onStatus: Event<string>;
  status(): string;
  connect(port: number, host: string): void;
  /** Runs a chunk as Studio's command bar does; an error in it is a result. @throws AppError STUDIO_DISCONNECTED */
  run(luau: string): Promise<ChunkResult>;
  /** @throws AppError FS_WRITE_FAILED, STUDIO_NOT_RESPONDING, STUDIO_DISCONNECTED */
  save(file: string): Promise<void>;
  readonly terminated: Promise<{ readonly kind: string; readonly reason: string }>;
}
