import * as z from 'zod';
import { analyzeModule } from '../session/analyze.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, Diagnostics, moduleArgument, problemsInWords, Summary, toDiagnostics } from './shapes.ts';

export const analyze = defineTool({
  name: 'analyze',
  title: 'Analyze a module',
  description: `Checks a module with everything that it imports, and keeps in its container what was found out: error sets and signatures, with the texts that they rest on. save writes that.

Queries are up to date without it; it is for those who read containers without a checker.`,
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
      success: findings.every(({ severity }) => severity !== 'error'),
      diagnostics: toDiagnostics(findings),
      stats: { functions_analyzed: functions, error_sets_computed: errorSets },
      summary: `${count(functions, 'function')} analyzed, ${count(errorSets, 'error set')} computed.`,
      outcome: 'done' as const,
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
