import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { printDeclaration, printModule } from '../language/print/print-declaration.ts';
import { qualifiedName } from '../session/items.ts';
import { isItem } from '../language/syntax/parts.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { idArgument, moduleArgument } from './shapes.ts';

export const prettyPrint = defineTool({
  name: 'pretty_print',
  title: 'Print canonical text',
  description:
    'Answers the canonical text of a module or of one top-level declaration, and writes nothing. get_source answers the text as it was written.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    id: idArgument.optional().describe('A top-level declaration.'),
    path: moduleArgument
      .optional()
      .describe('A whole module, or the one that the declaration is in. One of id and path is needed.'),
  }),
  output: z.object({ source: z.string() }),
  async run({ pluto }: PlutoToolDeps, { id, path }, { signal }) {
    if (id === undefined) {
      if (path === undefined) throw new AppError('INVALID_INPUT', { problems: 'one of id and path is needed' });
      return { source: printModule((await pluto.module(path)).module) };
    }
    const at = await pluto.item(id, signal);
    const { item, module } = at;
    if (path !== undefined && module.path !== (await pluto.module(path)).path)
      throw new AppError('INVALID_INPUT', { problems: `path: ${id} is in ${module.path}` });
    const decl = module.module.tree.items.find(one => isItem(one) && one === item);
    if (decl === undefined) {
      const text = module.module.text.slice(item.start, item.end);
      throw new AppError('PLUTO_WRONG_KIND', { kind: `part (${qualifiedName(at)}: ${text})`, wanted: 'a declaration' });
    }
    return { source: printDeclaration(module.module, decl) };
  },
  inWords: ({ source }) => source,
});
