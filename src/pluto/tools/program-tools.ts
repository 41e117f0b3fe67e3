import * as z from 'zod';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { ErrorBody } from '../../protocol/sync-result.ts';
import { standaloneText } from '../program/backend/standalone.ts';
import type { PlutoSession } from '../session/pluto-session.ts';
import { compileModule } from '../session/programs/compile-module.ts';
import { standalonePathOf, writeStandalone } from '../session/programs/write-standalone.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { engineRemark } from '../program/engine-remark.ts';
import { stoppedError, testsAnswer } from './program-answer.ts';
import { Diagnostics, formatProblems, inLines, moduleArgument, Summary, toDiagnostics } from './shapes.ts';

const LIMITS =
  'The program runs in its own process with 512 MB of memory and 1 MB of output, without network access. It can read and write regular files in the project folder and in a temporary folder. It cannot access .env files, .git and ignored files, or change modules.';

const entryArgument = moduleArgument.describe('The module with the entry point: main.pluto.');

/** The parts of the answer that all programs share. */
const programShape = {
  success: z.boolean(),
  diagnostics: Diagnostics.describe('Why it did not compile; empty otherwise.'),
  summary: Summary,
  ...Acknowledgement.shape,
};
const stoppedShape = { error: ErrorBody.optional().describe('The limit that stopped the program.') };

/** A compiled program, or the answer of a tool when the module does not compile. */
async function compiled(session: PlutoSession, path: string, mode: 'run' | 'test', signal: AbortSignal) {
  const made = await compileModule(session, path, mode, signal);
  if (made.kind === 'compiled') return { program: made.program, wasm: made.wasm };
  const [first] = made.findings;
  const more = made.findings.length > 1 ? ` (the first of ${made.findings.length} findings)` : '';
  return {
    refusal: {
      success: false,
      diagnostics: toDiagnostics(made.findings),
      summary: `${path} does not compile${first === undefined ? '' : `: ${first.message}`}${more}.`,
      outcome: 'refused' as const,
    },
  };
}

const formatUnsaved = ({ dirty }: PlutoSession): string =>
  dirty.length === 0 ? '' : ` Unsaved edits were included (${dirty.join(', ')}).`;

export const run = defineTool({
  name: 'run',
  title: 'Run a program',
  description:
    'Compiles a module and everything that it imports, as it is in memory, and runs its main function, app or stage until it ends or times out.',
  details: `${LIMITS} success means that it compiled and exited with status 0. An int returned by main is the exit status; an uncaught error or a failure exits with 1, and stderr names the module and line.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: entryArgument,
    args: z
      .array(z.string())
      .default([])
      .describe('Accepted but not used: programs cannot read arguments. Pass input with stdin.'),
    timeout: z.number().int().min(1).max(300).default(30).describe('Time limit in seconds.'),
    stdin: z.string().default('').describe('The input of the program.'),
  }),
  output: z.object({
    exit_code: z.number().describe('-1 if it did not run or was stopped.'),
    stdout: z.string(),
    stderr: z.string(),
    ...programShape,
    ...stoppedShape,
  }),
  async run({ pluto, programs, clock }: PlutoToolDeps, { path, args, timeout, stdin }, { signal, progress }) {
    const startedAt = clock.now();
    const elapsed = (): number => Math.round(clock.now() - startedAt);
    const made = await compiled(pluto, path, 'run', signal);
    if (made.refusal !== undefined)
      return { ...made.refusal, exit_code: -1, stdout: '', stderr: '', elapsedMs: elapsed() };
    const unsaved = formatUnsaved(pluto);
    progress?.(`Running ${path}.`);
    const { exitCode, stdout, stderr, stopped } = await programs.run(made.program, { stdin, seconds: timeout }, signal);
    const ignored = args.length === 0 ? '' : ' The arguments were not used: programs cannot read arguments.';
    const error = stopped && stoppedError(stopped);
    const ending = error === undefined ? `${path} exited with status ${exitCode}.` : error.message;
    return {
      success: exitCode === 0,
      exit_code: exitCode ?? -1,
      stdout,
      stderr,
      diagnostics: [],
      ...(error !== undefined && { error }),
      summary: `${ending}${unsaved}${ignored} ${engineRemark(made.wasm, programs.wasm)}`.trimEnd(),
      outcome: error === undefined ? ('done' as const) : ('failed' as const),
      evidence: { kind: 'program.ended', strength: 'observed' as const },
      elapsedMs: elapsed(),
    };
  },
  isError: ({ error }) => error !== undefined,
  formatText: ({ summary, stdout, stderr, diagnostics, error }) =>
    [
      inLines(summary, error === undefined ? [] : [error.hint]),
      ...(diagnostics.length === 0 ? [] : [formatProblems(diagnostics)]),
      ...(stdout === '' ? [] : [`stdout:\n${stdout}`]),
      ...(stderr === '' ? [] : [`stderr:\n${stderr}`]),
    ].join('\n'),
});

/** Time limit for all tests of one call. */
const TEST_SECONDS = 45;

export const test = defineTool({
  name: 'test',
  title: 'Run the tests of a module',
  description: 'Compiles a module and everything that it imports, as it is in memory, and runs its tests one by one.',
  details: `A failed test does not stop the others.

${LIMITS} All tests together may take ${TEST_SECONDS} seconds. success means that every selected test ran and passed. If there is no such test, it is false and the summary explains why.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: moduleArgument,
    filter: z.string().default('').describe('Only tests whose names contain this text.'),
  }),
  output: z.object({
    passed: z.number(),
    failed: z.number(),
    results: z.array(
      z.object({
        name: z.string(),
        passed: z.boolean(),
        output: z
          .string()
          .optional()
          .describe('Of a failed test: its output, the reason, and the module and line of the failure.'),
        schedules: z
          .object({ explored: z.number(), complete: z.boolean() })
          .optional()
          .describe('With the Exhaustive scheduler: the number of task orders that passed, and whether these are all.'),
      }),
    ),
    not_run: z.array(z.string()).describe('Tests that did not start before the time limit.'),
    ...programShape,
    ...stoppedShape,
  }),
  async run({ pluto, programs, clock }: PlutoToolDeps, { path, filter }, { signal, progress }) {
    const startedAt = clock.now();
    const elapsed = (): number => Math.round(clock.now() - startedAt);
    const made = await compiled(pluto, path, 'test', signal);
    if (made.refusal !== undefined)
      return { ...made.refusal, passed: 0, failed: 0, results: [], not_run: [], elapsedMs: elapsed() };
    const unsaved = formatUnsaved(pluto);
    progress?.(`Running the tests of ${path}.`);
    const ended = await programs.test(made.program, { filter, seconds: TEST_SECONDS }, signal);
    const { isEmpty, remark: _, summary, ...answer } = testsAnswer(path, filter, ended);
    const common = {
      ...answer,
      summary: `${summary}${unsaved} ${engineRemark(made.wasm, programs.wasm)}`.trimEnd(),
      not_run: [...ended.notRun],
      diagnostics: [],
      elapsedMs: elapsed(),
    };
    if (answer.error === undefined && isEmpty) return { ...common, outcome: 'refused' as const };
    return {
      ...common,
      outcome: answer.error === undefined ? ('done' as const) : ('failed' as const),
      evidence: { kind: 'program.ended', strength: 'observed' as const },
    };
  },
  isError: ({ error }) => error !== undefined,
  formatText: ({ summary, results, not_run, diagnostics, error }) =>
    [
      inLines(summary, error === undefined ? [] : [error.hint]),
      ...(diagnostics.length === 0 ? [] : [formatProblems(diagnostics)]),
      ...results.map(
        ({ name, passed, output }) => `${passed ? 'ok' : 'FAILED'} ${onOneLine(name)}${output ? `\n${output}` : ''}`,
      ),
      ...not_run.map(name => `not run: ${onOneLine(name)}`),
    ].join('\n'),
});

export const compile = defineTool({
  name: 'compile',
  title: 'Compile a program to a file',
  description:
    'Compiles a module and everything that it imports, as it is in memory, to one JavaScript file for Node: node main.js.',
  details: `Reads the file back before it answers.

A file that compile did not create, or that was changed since, is not overwritten. The compiled program runs with all the rights of the user who starts it.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: entryArgument,
    output: z
      .string()
      .optional()
      .describe('A .js, .mjs or .cjs file, relative to the project. Default: main.js beside the module.'),
  }),
  output: z.object({
    output_path: z.string().optional().describe('Relative to the project.'),
    ...programShape,
  }),
  async run({ pluto, programs, clock }: PlutoToolDeps, { path, output }, { signal }) {
    const startedAt = clock.now();
    const elapsed = (): number => Math.round(clock.now() - startedAt);
    const made = await compiled(pluto, path, 'run', signal);
    if (made.refusal !== undefined) return { ...made.refusal, elapsedMs: elapsed() };
    const unsaved = formatUnsaved(pluto);
    const target = output ?? standalonePathOf(path);
    const parts = { entry: path, program: made.program, runtime: await programs.standalone() };
    const outcome = await writeStandalone(pluto, target, standaloneText(parts, pluto.ports.hasher));
    return {
      success: true,
      output_path: target,
      diagnostics: [],
      summary: `${outcome === 'done' ? `Wrote ${target}` : `${target} is up to date`}.${unsaved}`,
      outcome,
      evidence: { kind: 'file.read_back', strength: 'verified' as const, files: outcome === 'done' ? 1 : 0 },
      elapsedMs: elapsed(),
    };
  },
  formatText: ({ summary, diagnostics }) =>
    [inLines(summary, []), ...(diagnostics.length === 0 ? [] : [formatProblems(diagnostics)])].join('\n'),
});
