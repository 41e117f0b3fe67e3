/**
 * Lines of `atlas-bridge headless --json`: commands on its standard input, events on its standard output, one JSON object each.
 * Unknown fields of commands are errors; events may get more fields in later versions.
 */
import * as z from 'zod';

const Id = z.union([z.string(), z.number()]).optional();

export const HeadlessCommand = z.union([
  /** Runs a chunk of Luau, as in the command bar. It may have several lines. */
  z.strictObject({ id: Id, run: z.string() }),
  /** Writes the place to a `.rbxl` or `.rbxlx` file, or the contents of Workspace to a `.rbxm` or `.rbxmx` file. */
  z.strictObject({ id: Id, save: z.string() }),
  z.strictObject({ id: Id, exit: z.literal(true) }),
]);
export type HeadlessCommand = z.infer<typeof HeadlessCommand>;

/** `id` is the id of the command, if it had one. */
export type HeadlessEvent =
  | { readonly event: 'loaded'; readonly place: string; readonly instances: number }
  /** `connecting`, `connected`, `disconnected`, `rejected: <reason>`. */
  | { readonly event: 'status'; readonly status: string }
  | { readonly event: 'log'; readonly level: 'output' | 'info' | 'warning' | 'error'; readonly message: string }
  /** `values`: the results as JSON, or as text if JSON cannot represent them. `texts`: the results as Luau prints them. `printed`: the lines that the chunk printed. */
  | {
      readonly event: 'result';
      readonly id?: string | number | undefined;
      readonly ok: true;
      readonly values: readonly unknown[];
      readonly texts: readonly string[];
      readonly printed: readonly string[];
    }
  | {
      readonly event: 'result';
      readonly id?: string | number | undefined;
      readonly ok: false;
      readonly error: { readonly message: string; readonly traceback: string };
      readonly printed: readonly string[];
    }
  | { readonly event: 'saved'; readonly id?: string | number | undefined; readonly file: string }
  /** A command that is invalid or failed. */
  | { readonly event: 'failed'; readonly id?: string | number | undefined; readonly message: string }
  | { readonly event: 'ended'; readonly reason: string };
