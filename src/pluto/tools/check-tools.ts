import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { analyzeModule } from '../session/analyze.ts';
import { findingsOf } from '../session/findings.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { Diagnostics, hasErrors, moduleArgument, formatProblems, Summary, toDiagnostics } from './shapes.ts';

export const check = defineTool({
  name: 'check',
  title: 'Check the project',
  description: `Checks all modules as they are in memory: syntax, imports, names, types, errors. Returns every finding at once.

With path, only findings of that module are listed. success is false if one of them is an error.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ path: moduleArgument.optional().describe('Only findings of this module.') }),
  output: z.object({ success: z.boolean(), diagnostics: Diagnostics }),
  async run({ pluto }: PlutoToolDeps, { path }, { signal }) {
    if (path !== undefined) await pluto.module(path);
    const findings = await findingsOf(pluto, signal, path === undefined ? undefined : new Set([path]));
    return { success: !hasErrors(findings), diagnostics: toDiagnostics(findings) };
  },
  formatText: ({ diagnostics }) => formatProblems(diagnostics),
});

export const analyze = defineTool({
  name: 'analyze',
  title: 'Analyze a module',
  description:
    'Checks a module and everything that it imports, and stores the results in its container: error sets and signatures, with hashes of the sources.',
  details: `save writes them.

Other tools do not need it; it is for programs that read containers without a checker.`,
  toolset: 'pluto',
  effect: 'write',
  input: z.strictObject({ path: moduleArgument }),
  output: z.object({
    success: z.boolean(),
    diagnostics: Diagnostics,
    stats: z.object({ functions_analyzed: z.number(), error_sets_computed: z.number() }),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, clock }: PlutoToolDeps, { path }, { signal }) {
    const startedAt = clock.now();
    const { findings, functions, errorSets } = await analyzeModule(pluto, path, signal);
    return {
      success: !hasErrors(findings),
      diagnostics: toDiagnostics(findings),
      stats: { functions_analyzed: functions, error_sets_computed: errorSets },
      summary: `Analyzed ${counted(functions, 'function')}, computed ${counted(errorSets, 'error set')}.`,
      outcome: 'done' as const,
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  formatText: ({ summary, diagnostics }) => `${onOneLine(summary)}\n${formatProblems(diagnostics)}`,
});
