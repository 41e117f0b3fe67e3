import * as z from 'zod';
import type { FromTestThread } from './test-messages.ts';

const decoder = new TextDecoder();
/** Luau strings that are not UTF-8 arrive as bytes. */
const Text = z.union([z.string(), z.instanceof(Uint8Array).transform(bytes => decoder.decode(bytes))]);
const Names = z.array(Text);
/** Absent fields of Luau tables. */
const Index = z.number().optional();

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned'), tests: z.array(z.object({ names: Names, line: z.number() })) }),
  z.object({ kind: z.literal('started'), names: Names, line: z.number(), index: Index }),
  z.object({
    kind: z.literal('test'),
    names: Names,
    line: z.number(),
    index: Index,
    status: z.enum(['passed', 'failed', 'skipped']),
    seconds: z.number(),
    failure: z.object({ message: Text, stack: z.array(z.object({ file: Text, line: z.number() })) }).optional(),
    unavailable: Names,
    output: z.array(z.object({ level: z.enum(['output', 'info', 'warning', 'error']), message: Text })),
  }),
  z.object({ kind: z.literal('finished') }),
]);

/** Reads a message of `luau/runner.luau`. Code of a game runs in the same VM, so it may send anything. */
export function readReport(message: unknown): FromTestThread | undefined {
  const read = Message.safeParse(message);
  if (!read.success) return undefined;
  const { data } = read;
  if (data.kind === 'started') return { ...data, index: data.index };
  if (data.kind !== 'test') return data;
  const { seconds, ...rest } = data;
  return { ...rest, index: data.index, failure: data.failure, ms: Math.round(seconds * 1000) };
}
