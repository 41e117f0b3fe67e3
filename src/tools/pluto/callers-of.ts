import * as z from 'zod';
import { sitesOf } from '../../core/pluto/session/sites.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, placeOf, placeShape, Summary } from './shapes.ts';

export const callersOf = defineTool({
  name: 'callers_of',
  title: 'Find the callers of a function',
  description:
    'Finds every place in the project that calls a function or method. A call through a trait counts for the method of the trait.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    result: z.array(
      z.object({
        caller_id: z.string().nullable().describe('The function, method or test around the call.'),
        caller_name: z.string().nullable(),
        ...placeShape,
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const sites = (await sitesOf(pluto, at.id, signal)).filter(({ kind }) => kind === 'call');
    const result = sites.map(site => ({
      caller_id: site.from?.id ?? null,
      caller_name: site.from?.name ?? null,
      ...placeOf(site),
    }));
    return { result, summary: `${count(result.length, 'call')}.` };
  },
  inWords: ({ summary, result }) =>
    [
      summary,
      ...result.map(one => `${one.module}:${one.line}: ${one.caller_name ?? 'module'}: ${one.source_snippet}`),
    ].join('\n'),
});
