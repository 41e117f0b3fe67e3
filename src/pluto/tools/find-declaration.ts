import * as z from 'zod';
import { itemsNamed } from '../session/items.ts';
import { kindWords } from '../language/syntax/parts.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, kindArgument, listedAt, Summary } from './shapes.ts';

export const findDeclaration = defineTool({
  name: 'find_declaration',
  title: 'Find declarations by name',
  description: `Finds declarations of an exact name in all modules of the project; methods, fields and variants too, with what they belong to before their name.

Parameters and imports are found only by kind. No result is an empty list.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    name: z.string().describe('The name alone, or with what it belongs to: dot_product, length, Vector.length.'),
    kind: kindArgument.describe('Only declarations of this kind.'),
  }),
  output: z.object({
    result: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), module: z.string() })),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { name, kind }, { signal }) {
    const result = itemsNamed(await pluto.modules(signal), name)
      .filter(({ item }) => (kind === undefined ? !quiet.has(item.kind) : kindWords[item.kind] === kind))
      .map(listedAt);
    return { result, summary: `${count(result.length, 'declaration')} of that name.` };
  },
  inWords: ({ summary, result }) =>
    [summary, ...result.map(({ id, name, kind, module }) => `${id} ${kind} ${name} in ${module}`)].join('\n'),
});

const quiet: ReadonlySet<string> = new Set(['Param', 'Receiver', 'ImportDecl']);
