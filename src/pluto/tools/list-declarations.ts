import * as z from 'zod';
import { isPub } from '../session/describe.ts';
import { declarationsOf } from '../session/edits/snippet.ts';
import { signatureOf } from '../session/signature.ts';
import { kindWords, nameOfItem } from '../language/syntax/parts.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, kindArgument, moduleArgument, Summary } from './shapes.ts';

export const listDeclarations = defineTool({
  name: 'list_declarations',
  title: 'List the declarations of a module',
  description: `Lists what a module declares, in the order of its text: id, name, kind, visibility, signature.

The ids stay the same through edits, renames and moves. Imports are listed only with kind "import". get_declaration says more of one.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    path: moduleArgument,
    kind: kindArgument.describe('Only declarations of this kind.'),
    visibility: z.enum(['pub', 'private', 'all']).default('all'),
  }),
  output: z.object({
    result: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.string(),
        is_pub: z.boolean(),
        signature: z.string().optional(),
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { path, kind, visibility }) {
    const { module } = await pluto.module(path);
    const result = declarationsOf(module).flatMap(item => {
      const word = kindWords[item.kind];
      if (kind === undefined ? word === 'import' : word !== kind) return [];
      const is_pub = isPub(item);
      if (visibility !== 'all' && is_pub !== (visibility === 'pub')) return [];
      const signature = signatureOf(module.text, item);
      const found = { id: item.id ?? '', name: nameOfItem(item), kind: word, is_pub };
      return [signature === undefined ? found : { ...found, signature }];
    });
    return { result, summary: `${count(result.length, 'declaration')} in ${path}.` };
  },
  inWords: ({ summary, result }) =>
    [summary, ...result.map(({ id, name, kind, signature }) => `${id} ${kind} ${signature ?? name}`)].join('\n'),
});
