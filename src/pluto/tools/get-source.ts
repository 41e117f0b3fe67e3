import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { itemWithId } from '../session/items.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { idArgument, moduleArgument } from './shapes.ts';

export const getSource = defineTool({
  name: 'get_source',
  title: 'Read the text of a module',
  description:
    'Answers the text of a module, or of one declaration in it, as it was written, with comments and with edits that are not saved yet.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    path: moduleArgument,
    id: idArgument.optional().describe('Only this declaration.'),
  }),
  output: z.object({ source: z.string() }),
  async run({ pluto }: PlutoToolDeps, { path, id }, { signal }) {
    const module = await pluto.module(path);
    if (id === undefined) return { source: module.module.text };
    const at = itemWithId([module], id);
    if (at === undefined) {
      const elsewhere = await pluto.item(id, signal);
      throw new AppError('INVALID_INPUT', { problems: `path: ${id} is in ${elsewhere.module.path}` });
    }
    return { source: module.module.text.slice(at.item.start, at.item.end) };
  },
  inWords: ({ source }) => source,
});
