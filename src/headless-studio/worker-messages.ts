/** The messages between the host and the worker of a headless Studio, in the order of a session. */

import type { Result } from '../base/result.ts';
import type { StudioKey } from '../ports/studio-keys.ts';
import type { LuauMachineCode } from './luau-wasm.ts';

/** The options of the worker. Paths are absolute. */
export interface WorkerOptions {
  readonly place: string;
  readonly placeName: string;
  readonly placeId: number;
  readonly pluginFolder: string;
  readonly headlessFolder: string;
  readonly reflectionFile: string;
  /** The compiled code of an earlier worker of this process. */
  readonly luauCode: LuauMachineCode | undefined;
}

export type ToWorker =
  /** Connects the plugin to the bridge there; it retries until it is connected. */
  | { readonly kind: 'connect'; readonly port: number; readonly host: string | undefined; readonly key: StudioKey }
  | { readonly kind: 'run'; readonly id: number; readonly source: string }
  /** Asks for the bytes of the open place in the format of the file name. */
  | { readonly kind: 'format'; readonly id: number; readonly file: string }
  /** Ends the session, and with it the worker. */
  | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'loaded'; readonly instances: number; readonly luauCode: LuauMachineCode }
  /** The worker cannot continue: the place cannot be read, or the VM failed. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly unreadable?: { readonly file: string; readonly reason: string };
    }
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'log'; readonly level: OutputLevel; readonly message: string }
  | { readonly kind: 'ran'; readonly id: number; readonly result: CommandBarResult }
  | { readonly kind: 'formatted'; readonly id: number; readonly result: Result<Uint8Array, string> };

/** Levels of Studio's output window. */
export type OutputLevel = 'output' | 'info' | 'warning' | 'error';

/** The result of a chunk of the command bar; `printed` are the lines that the chunk printed. */
export type CommandBarResult =
  | { readonly ok: true; readonly values: readonly CommandBarValue[]; readonly printed: readonly string[] }
  | {
      readonly ok: false;
      readonly error: { readonly message: string; readonly traceback: string };
      readonly printed: readonly string[];
    };

/** A returned value: as JSON (its text if it has no JSON form), and as Luau's `tostring`. */
export interface CommandBarValue {
  readonly json: unknown;
  readonly text: string;
}
