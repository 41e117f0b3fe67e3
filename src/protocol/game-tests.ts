/** Lines of `atlas-bridge test --json`: one JSON object each. Later versions may add fields. */
import * as z from 'zod';

const Position = z.strictObject({
  file: z.string().describe('relative to the current folder, with /'),
  line: z.number(),
});

const test = {
  file: z.string().describe('the test file, relative to the current folder, with /'),
  names: z.array(z.string()).describe('of the blocks and the test; empty for a file that is one test'),
  line: z.number().describe('where the test is defined'),
};

const GameTestFailure = z.strictObject({
  message: z.string(),
  stack: z.array(Position).describe('innermost first'),
  unavailable: z.array(z.string()).describe('what the test used and headless Studio does not simulate'),
});

export const GameTestResult = z.strictObject({
  event: z.literal('test'),
  ...test,
  status: z.enum(['passed', 'failed', 'skipped']),
  ms: z.number(),
  failure: GameTestFailure.optional(),
  output: z
    .array(z.strictObject({ level: z.enum(['output', 'info', 'warning', 'error']), message: z.string() }))
    .describe('what the test printed, at most 64 kB'),
});

const Ended = z.strictObject({
  event: z.literal('ended'),
  ok: z.boolean().describe('whether no test failed'),
  files: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  ms: z.number(),
});

export const GameTestEvent = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('started'), ...test }),
  GameTestResult,
  Ended,
]);

/** The last line of the command: the totals, or why no tests ran. */
export const GameTestAnswer = z.union([
  Ended,
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
  }),
]);

export type GameTestResult = z.infer<typeof GameTestResult>;
export type GameTestEvent = z.infer<typeof GameTestEvent>;
export type GameTestTotals = z.infer<typeof Ended>;
