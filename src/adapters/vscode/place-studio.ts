import type { Event } from '../../base/emitter.ts';

/** A headless Studio over a place file; `headless-studio` makes one. */
export interface PlaceStudio extends AsyncDisposable {
  readonly instances: number;
  /** Lines of Studio's output window. */
  readonly onLog: Event<{ readonly level: string; readonly message: string }>;
  /** `disconnected`, `connecting`, `connected`, `rejected: <reason>`. */
  readonly onStatus: Event<string>;
  status(): string;
  connect(port: number, host: string): void;
  /** @throws AppError FS_WRITE_FAILED, STUDIO_NOT_RESPONDING, STUDIO_DISCONNECTED */
  save(file: string): Promise<void>;
  readonly terminated: Promise<{ readonly kind: string; readonly reason: string }>;
}
