import * as z from 'zod';
import { sitesOf } from '../session/sites.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, Summary, usageOf, UsageSite } from './shapes.ts';

const usageKinds = ['call', 'construct', 'enum_variant', 'raise', 'impl', 'type_ref', 'field'] as const;

export const usagesOf = defineTool({
  name: 'usages_of',
  title: 'Find all usages of a declaration',
  description: `Finds every place in the project that names a declaration or member, with how it is used.

catch counts as type_ref. Look here before deleting something, or changing what it looks like from outside.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    result: z.array(UsageSite.extend({ usage_kind: z.enum(usageKinds) })),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const sites = await sitesOf(pluto, at.id, signal);
    const result = sites.map(site => ({ ...usageOf(site), usage_kind: site.kind }));
    return { result, summary: `${count(result.length, 'usage')}.` };
  },
  inWords: ({ summary, result }) =>
    [summary, ...result.map(one => `${one.module}:${one.line}: ${one.usage_kind}: ${one.source_snippet}`)].join('\n'),
});
