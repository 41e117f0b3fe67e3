/**
 * Lines of `atlas-bridge headless --json`: commands on its standard input, events on its standard output, one JSON object each.
 * Strict about commands; events may gain fields.
 */
import * as z from 'zod';

const Id = z.union([z.string(), z.number()]).optional();

export const HeadlessCommand = z.union([
  /** A chunk of Luau for the command bar; may span lines. */
  z.strictObject({ id: Id, run: z.string() }),
  /** Writes the place to a `.rbxl` or `.rbxlx` file, or what is in Workspace to a `.rbxm` or `.rbxmx` file. */
  z.strictObject({ id: Id, save: z.string() }),
  z.strictObject({ id: Id, exit: z.literal(true) }),
]);
export type HeadlessCommand = z.infer<typeof HeadlessCommand>;

/** `id` is that of the command, where it had one. */
export type HeadlessEvent =
  | { readonly event: 'loaded'; readonly place: string; readonly instances: number }
  /** `connecting`, `connected`, `disconnected`, `rejected: <reason>`. */
  | { readonly event: 'status'; readonly status: string }
  | { readonly event: 'log'; readonly level: 'output' | 'info' | 'warning' | 'error'; readonly message: string }
  /** `values` as JSON, what has no such form as text; `texts` as Luau prints them; `printed`: the chunk's own lines. */
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
  /** A command that could not be read or carried out. */
  | { readonly event: 'failed'; readonly id?: string | number | undefined; readonly message: string }
  | { readonly event: 'ended'; readonly reason: string };
