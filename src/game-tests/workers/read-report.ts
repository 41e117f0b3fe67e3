import * as z from 'zod';
import { shortened } from '../../base/safe-text.ts';
import type { FromTestThread, TestOutput } from './test-messages.ts';

const decoder = new TextDecoder();

/** Characters of a name, and the number of blocks around a test. */
const MAX_NAME_LENGTH = 500;
const MAX_NAMES = 50;
/** Characters of the message of a failure, and the number of its positions. */
const MAX_MESSAGE_LENGTH = 64 * 1024;
const MAX_POSITIONS = 200;
const MAX_TESTS = 100_000;
/** As in `luau/runner.luau`, with the line about the skipped output. */
const MAX_OUTPUT_LINES = 1_002;
/** A day; no test takes longer than an hour. */
const MAX_MS = 24 * 60 * 60 * 1000;

/** A Luau string of at most `length` UTF-16 units; a longer one is cut. Strings that are not UTF-8 arrive as bytes. */
const textUpTo = (length: number) =>
  z
    .union([z.string(), z.instanceof(Uint8Array).transform(bytes => decoder.decode(bytes))])
    .transform(text => shortened(text, length));
const listUpTo = <T extends z.ZodType>(count: number, item: T) =>
  z.array(item).transform(items => items.slice(0, count));

const MessageText = textUpTo(MAX_MESSAGE_LENGTH);
const Name = textUpTo(MAX_NAME_LENGTH);
const Names = listUpTo(MAX_NAMES, Name);
/** A line that an editor can show, from 1. */
const Line = z.int().min(1).max(2_000_000_000).catch(1);
/** Absent fields of Luau tables. */
const Index = z.number().optional();
const Level = z.enum(['output', 'info', 'warning', 'error']);

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned'), tests: listUpTo(MAX_TESTS, z.object({ names: Names, line: Line })) }),
  z.object({ kind: z.literal('started'), names: Names, line: Line, index: Index }),
  z.object({
    kind: z.literal('test'),
    names: Names,
    line: Line,
    index: Index,
    status: z.enum(['passed', 'failed', 'skipped']),
    seconds: z.number(),
    failure: z
      .object({ message: MessageText, stack: listUpTo(MAX_POSITIONS, z.object({ file: Name, line: Line })) })
      .optional(),
    unavailable: Names,
    output: listUpTo(MAX_OUTPUT_LINES, z.object({ level: Level, message: MessageText })),
  }),
  z.object({ kind: z.literal('finished') }),
]);

/** Validates a message of `luau/runner.luau`. Code of a game runs in the same VM and can send anything, so long texts and lists are cut. */
export function readReport(message: unknown): FromTestThread | undefined {
  const read = Message.safeParse(message);
  if (!read.success) return undefined;
  const { data } = read;
  if (data.kind === 'started') return { ...data, index: data.index };
  if (data.kind !== 'test') return data;
  const { seconds, ...rest } = data;
  return {
    ...rest,
    index: data.index,
    failure: data.failure,
    ms: Math.round(Math.min(Math.max(seconds * 1000, 0), MAX_MS)),
  };
}

/** Reads a line of `emit` of `luau/runner.luau`: the level, and the message with `\xx` for each byte that is not printable ASCII. */
export function readOutput(line: string): TestOutput | undefined {
  const space = line.indexOf(' ');
  const level = Level.safeParse(line.slice(0, space));
  if (space === -1 || !level.success) return undefined;
  const bytes = line
    .slice(space + 1)
    .replaceAll(/\\([0-9a-f]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  return { level: level.data, message: decoder.decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0))) };
}
