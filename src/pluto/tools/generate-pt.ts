import * as z from 'zod';
import { generateView } from '../session/views/generate-view.ts';
import { AppError } from '../../base/errors.ts';
import { inWords } from '../../base/sentence.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { forAgent, toErrorBody } from '../../protocol/error-body.ts';
import { ErrorBody } from '../../protocol/sync.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, moduleArgument, Summary } from './shapes.ts';

export const generatePt = defineTool({
  name: 'generate_pt',
  title: 'Write .pt views',
  description: `Writes beside a .pluto module the .pt view for people, which sync_pt reads back. Save first.

A .pt with edits that are not in its module is not overwritten: sync_pt takes them over.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: moduleArgument.optional().describe('Only this module; left out: all .pluto modules.'),
  }),
  output: z.object({
    generated: z.array(z.object({ pluto_path: z.string(), pt_path: z.string() })),
    failed: z.array(z.object({ path: z.string(), error: ErrorBody })),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, clock }: PlutoToolDeps, { path }, { signal }) {
    const startedAt = clock.now();
    const generated: { pluto_path: string; pt_path: string }[] = [];
    const failed: { path: string; error: z.infer<typeof ErrorBody> }[] = [];
    let written = 0;
    for (const module of path === undefined ? pluto.files.filter(file => file.endsWith('.pluto')) : [path]) {
      signal.throwIfAborted();
      try {
        const made = await generateView(pluto, module);
        generated.push({ pluto_path: made.path, pt_path: made.view });
        if (made.outcome === 'done') written += 1;
      } catch (error) {
        if (path !== undefined) throw error;
        failed.push({ path: module, error: toErrorBody(AppError.from(error)) });
      }
    }
    const isPartial = failed.length > 0;
    const outcome = isPartial ? (written > 0 ? 'failed' : 'refused') : written > 0 ? 'done' : 'already';
    return {
      generated,
      failed,
      summary: `${count(generated.length, 'view')} up to date, ${written} of them written now, ${failed.length} not.`,
      outcome: outcome as 'failed' | 'refused' | 'done' | 'already',
      evidence: { kind: 'file.read_back', strength: 'verified' as const, files: written },
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ failed }) => failed.length > 0,
  inWords: ({ summary, failed }) =>
    [summary, ...failed.map(({ path, error }) => `${path}: ${inWords(forAgent(error))}`)].join('\n'),
});
