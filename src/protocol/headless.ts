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

const lines = z.array(z.string());
const command = { id: Id.describe('of the command, if it had one') };

export const HeadlessEvent = z.union([
  z.strictObject({ event: z.literal('loaded'), place: z.string().describe('name of the file'), instances: z.number() }),
  z.strictObject({
    event: z.literal('status'),
    status: z.string().describe('connecting, connected, disconnected, or "rejected: " and the reason'),
  }),
  z.strictObject({
    event: z.literal('log'),
    level: z.enum(['output', 'info', 'warning', 'error']),
    message: z.string(),
  }),
  z.strictObject({
    event: z.literal('result'),
    ...command,
    ok: z.literal(true),
    values: z.array(z.unknown()).readonly().describe('the results as JSON, or as text if JSON cannot represent them'),
    texts: lines.readonly().describe('the results as Luau prints them'),
    printed: lines.readonly().describe('lines that the chunk printed'),
  }),
  z.strictObject({
    event: z.literal('result'),
    ...command,
    ok: z.literal(false),
    error: z.strictObject({ message: z.string(), traceback: z.string() }).readonly(),
    printed: lines.readonly(),
  }),
  z.strictObject({ event: z.literal('saved'), ...command, file: z.string().describe('absolute') }),
  z.strictObject({
    event: z.literal('failed'),
    ...command,
    message: z.string().describe('why a command is invalid or failed'),
  }),
  z.strictObject({ event: z.literal('ended'), reason: z.string() }),
]);
export type HeadlessEvent = z.infer<typeof HeadlessEvent>;
