import * as z from 'zod';
import { sitesOf } from '../session/sites.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, Summary, usageOf, UsageSite } from './shapes.ts';

export const constructorsOf = defineTool({
  name: 'constructors_of',
  title: 'Find where a class is constructed',
  description: 'Finds every literal in the project that makes an object of a class. Look here after add_field.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({ result: z.array(UsageSite), summary: Summary }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const result = (await sitesOf(pluto, at.id, signal)).filter(({ kind }) => kind === 'construct').map(usageOf);
    return { result, summary: `${count(result.length, 'place')}.` };
  },
  inWords: ({ summary, result }) =>
    [
      summary,
      ...result.map(one => `${one.module}:${one.line}: ${one.function_name ?? 'module'}: ${one.source_snippet}`),
    ].join('\n'),
});
