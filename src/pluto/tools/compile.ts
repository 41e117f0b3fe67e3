import * as z from 'zod';
import { standaloneText } from '../program/backend/standalone.ts';
import { standalonePathOf, writeStandalone } from '../session/programs/write-standalone.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { compiled, unsavedInWords } from './program-answer.ts';
import { Diagnostics, moduleArgument, problemsInWords, Summary } from './shapes.ts';

export const compile = defineTool({
  name: 'compile',
  title: 'Compile a program to a file',
  description: `Compiles a module with everything that it imports, as it is in memory, and writes one JavaScript file that node runs: node main.js. Answers when the file was read back and is what it should be.

A file that compile did not make, or that somebody has changed since, is not overwritten. Whoever runs the file gives it all of their own rights.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: moduleArgument.describe('The module where the program starts: main.pluto.'),
    output: z
      .string()
      .optional()
      .describe('A .js, .mjs or .cjs file, relative to the project; left out: beside the module, main.js.'),
  }),
  output: z.object({
    success: z.boolean(),
    output_path: z.string().optional().describe('Relative to the project.'),
    diagnostics: Diagnostics.describe('Why it was not compiled.'),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, programs, clock }: PlutoToolDeps, { path, output }, { signal }) {
    const startedAt = clock.now();
    const elapsed = (): number => Math.round(clock.now() - startedAt);
    const made = await compiled(pluto, path, 'run', signal);
    if (made.refusal !== undefined) return { ...made.refusal, elapsedMs: elapsed() };
    const unsaved = unsavedInWords(pluto);
    const target = output ?? standalonePathOf(path);
    const parts = { entry: path, program: made.program, runtime: await programs.standalone() };
    const outcome = await writeStandalone(pluto, target, standaloneText(parts, pluto.ports.hasher));
    return {
      success: true,
      output_path: target,
      diagnostics: [],
      summary: `${target} ${outcome === 'done' ? 'is written' : 'says so already'}.${unsaved}`,
      outcome,
      evidence: { kind: 'file.read_back', strength: 'verified' as const, files: outcome === 'done' ? 1 : 0 },
      elapsedMs: elapsed(),
    };
  },
  inWords: ({ summary, diagnostics }) =>
    diagnostics.length === 0 ? summary : `${summary}\n${problemsInWords(diagnostics)}`,
});
