import * as z from 'zod';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { GameTestResult } from '../../protocol/game-tests.ts';

const RunTestsInput = z.strictObject({
  filter: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Only tests whose name contains this; a name is "file > block > test", the file relative to the project.',
    ),
  all: z.boolean().default(false).describe('List all tests, not only those that failed.'),
  cursor: z.string().optional().describe('cursor of an answer: lists the next tests and runs nothing.'),
});
export type RunTestsInput = z.output<typeof RunTestsInput>;

const RunTestsAnswer = z.object({
  ...Acknowledgement.shape,
  status: z.enum(['passed', 'failed', 'error']).describe('error: the tests did not run'),
  summary: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  tests: z.array(GameTestResult.omit({ event: true })),
  cursor: z.string().optional().describe('Lists the next tests.'),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
});
export type RunTestsAnswer = z.output<typeof RunTestsAnswer>;

export interface GameTestToolDeps {
  /** Runs the tests of the served project, or lists more tests of an earlier run. @throws AppError */
  readonly runGameTests: (input: RunTestsInput, call: ToolCall) => Promise<RunTestsAnswer>;
}

export const runTests = defineTool({
  name: 'run_tests',
  title: "Run the game's tests",
  description:
    "Runs the game's own tests (*.spec.luau and *.test.luau) in headless Studio and reports which failed. Changes nothing.",
  details: `Answers after all tests have ended. Tests are in the style of TestEZ (describe, it, expect) or plain "return function() … end" modules. Each file runs in a new place, built from the project files on disk.

Each failure has a stack of files and lines. Headless Studio simulates no physics, rendering, networking, players, data stores or other services of Roblox's servers, and runs no Scripts; unavailable lists what a failed test used of these. Pass a fake to the tested code instead.`,
  toolset: 'tests',
  effect: 'read',
  input: RunTestsInput,
  output: RunTestsAnswer,
  run: (deps: GameTestToolDeps, input, call) => deps.runGameTests(input, call),
  formatText: answer =>
    [
      onOneLine(answer.summary),
      ...answer.tests.map(
        ({ file, names, status, failure }) =>
          `- ${status} ${onOneLine([file, ...names].join(' > '))}${failure === undefined ? '' : `: ${failure.message.split('\n').map(onOneLine).join('\n  ')}`}`,
      ),
    ].join('\n'),
  isError: answer => answer.status === 'error',
});
