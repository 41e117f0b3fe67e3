import * as z from 'zod';
import { callSitesOf } from '../session/sites.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, placeOf, placeShape, Summary } from './shapes.ts';

export const callersOf = defineTool({
  name: 'callers_of',
  title: 'Find the callers of a function',
  description:
    'Finds every place in the project that calls a function or method. A call through a trait counts for the method of the trait, and for those of classes that it may be at run time.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    result: z.array(
      z.object({
        caller_id: z.string().nullable().describe('The function, method or test around the call.'),
        caller_name: z.string().nullable(),
        ...placeShape,
        through: z
          .string()
          .optional()
          .describe('The method of a trait that is called here: whether it is this one is known only at run time.'),
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const result = (await callSitesOf(pluto, at, signal)).map(site => ({
      caller_id: site.from?.id ?? null,
      caller_name: site.from?.name ?? null,
      ...placeOf(site),
      ...(site.through === undefined ? {} : { through: site.through }),
    }));
    return { result, summary: `${count(result.length, 'call')}.` };
  },
  inWords: ({ summary, result }) =>
    [
      summary,
      ...result.map(one => `${one.module}:${one.line}: ${one.caller_name ?? 'module'}: ${one.source_snippet}`),
    ].join('\n'),
});
