import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { ErrorBody } from '../../protocol/sync.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { compiled, LIMITS_IN_WORDS, stoppedError, unsavedInWords } from './program-answer.ts';
import { Diagnostics, moduleArgument, problemsInWords, Summary } from './shapes.ts';

export const run = defineTool({
  name: 'run',
  title: 'Run a program',
  description: `Compiles a module with everything that it imports, as it is in memory, and runs it from its main function, app or stage until it ends or its time is over.

${LIMITS_IN_WORDS} success says that it was compiled and ended with status 0. A main that gives an int ends with that status; an uncaught error or a failure with 1, and stderr says at which line of which module.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: moduleArgument.describe('The module where the program starts: main.pluto.'),
    args: z
      .array(z.string())
      .default([])
      .describe('Accepted and not used: programs have no way to read arguments. Hand them text with stdin.'),
    timeout: z.number().int().min(1).max(300).default(30).describe('Seconds that the program may take.'),
    stdin: z.string().default('').describe('What the program reads as its input.'),
  }),
  output: z.object({
    success: z.boolean(),
    exit_code: z.number().describe('-1 when it was not run, or was stopped.'),
    stdout: z.string(),
    stderr: z.string(),
    diagnostics: Diagnostics.describe('Why it was not compiled; empty when it was run.'),
    error: ErrorBody.optional().describe('Which budget ran out, when it was stopped.'),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, programs, clock }: PlutoToolDeps, { path, args, timeout, stdin }, { signal, progress }) {
    const startedAt = clock.now();
    const elapsed = (): number => Math.round(clock.now() - startedAt);
    const made = await compiled(pluto, path, 'run', signal);
    if (made.refusal !== undefined)
      return { ...made.refusal, exit_code: -1, stdout: '', stderr: '', elapsedMs: elapsed() };
    const unsaved = unsavedInWords(pluto);
    progress?.(`${path} is running.`);
    const { exitCode, stdout, stderr, stopped } = await programs.run(made.program, { stdin, seconds: timeout }, signal);
    const ignored = args.length === 0 ? '' : ' The arguments were not used: programs cannot read any.';
    const error = stopped && stoppedError(stopped);
    const ending = error === undefined ? `${path} ended with status ${exitCode}.` : error.message;
    return {
      success: exitCode === 0,
      exit_code: exitCode ?? -1,
      stdout,
      stderr,
      diagnostics: [],
      ...(error !== undefined && { error }),
      summary: `${ending}${unsaved}${ignored}`,
      outcome: error === undefined ? ('done' as const) : ('failed' as const),
      evidence: { kind: 'program.ended', strength: 'observed' as const },
      elapsedMs: elapsed(),
    };
  },
  isError: ({ error }) => error !== undefined,
  inWords: ({ summary, stdout, stderr, diagnostics, error }) =>
    [
      summary,
      ...(error === undefined ? [] : [error.hint]),
      ...(diagnostics.length === 0 ? [] : [problemsInWords(diagnostics)]),
      ...(stdout === '' ? [] : [`stdout:\n${stdout}`]),
      ...(stderr === '' ? [] : [`stderr:\n${stderr}`]),
    ].join('\n'),
});
