import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { ErrorBody } from '../../protocol/sync.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { compiled, LIMITS_IN_WORDS, testsAnswer, unsavedInWords } from './program-answer.ts';
import { Diagnostics, moduleArgument, problemsInWords, Summary } from './shapes.ts';

/** Seconds that all tests of a call may take together. */
const SECONDS = 45;

export const test = defineTool({
  name: 'test',
  title: 'Run the tests of a module',
  description: `Compiles a module with everything that it imports, as it is in memory, and runs its tests: each by itself, all of them, whatever becomes of one.

${LIMITS_IN_WORDS} Together they may take ${SECONDS} seconds. success says that every test which was meant was run and passed; where the module has none, or the filter fits none, it is false and the summary says why.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: moduleArgument,
    filter: z.string().default('').describe('Only tests whose names contain this.'),
  }),
  output: z.object({
    success: z.boolean(),
    passed: z.number(),
    failed: z.number(),
    results: z.array(
      z.object({
        name: z.string(),
        passed: z.boolean(),
        output: z
          .string()
          .optional()
          .describe('What a test that failed has printed, why it failed, and at which line of which module.'),
        schedules: z
          .object({ explored: z.number(), complete: z.boolean() })
          .optional()
          .describe(
            'Of the scheduler Exhaustive: in how many orders of its tasks it passed, and whether there are no others.',
          ),
      }),
    ),
    not_run: z.array(z.string()).describe('Tests that were not begun before the budget ran out.'),
    diagnostics: Diagnostics.describe('Why it was not compiled; empty when it was run.'),
    error: ErrorBody.optional().describe('Which budget ran out, when they were stopped.'),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, programs, clock }: PlutoToolDeps, { path, filter }, { signal, progress }) {
    const startedAt = clock.now();
    const elapsed = (): number => Math.round(clock.now() - startedAt);
    const made = await compiled(pluto, path, 'test', signal);
    if (made.refusal !== undefined)
      return { ...made.refusal, passed: 0, failed: 0, results: [], not_run: [], elapsedMs: elapsed() };
    const unsaved = unsavedInWords(pluto);
    progress?.(`The tests of ${path} are running.`);
    const ended = await programs.test(made.program, { filter, seconds: SECONDS }, signal);
    const { isEmpty, remark: _, summary, ...answer } = testsAnswer(path, filter, ended);
    const acknowledged = { summary: `${summary}${unsaved}`, not_run: [...ended.notRun], diagnostics: [] };
    if (answer.error === undefined && isEmpty)
      return { ...answer, ...acknowledged, outcome: 'refused' as const, elapsedMs: elapsed() };
    return {
      ...answer,
      ...acknowledged,
      outcome: answer.error === undefined ? ('done' as const) : ('failed' as const),
      evidence: { kind: 'program.ended', strength: 'observed' as const },
      elapsedMs: elapsed(),
    };
  },
  isError: ({ error }) => error !== undefined,
  inWords: ({ summary, results, diagnostics, error }) =>
    [
      summary,
      ...(error === undefined ? [] : [error.hint]),
      ...(diagnostics.length === 0 ? [] : [problemsInWords(diagnostics)]),
      ...results.map(one => `${one.passed ? 'ok' : 'FAILED'} ${one.name}${one.output ? `\n${one.output}` : ''}`),
    ].join('\n'),
});
