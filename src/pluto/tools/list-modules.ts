import * as z from 'zod';
import { moduleName } from '../language/modules/module-name.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, Summary } from './shapes.ts';

export const listModules = defineTool({
  name: 'list_modules',
  title: 'List Pluto modules',
  description: `Lists every Pluto module of the project by path. Start here, then list_declarations.

A .pt file beside a .pluto of the same name is a view of it and no module. is_dirty marks modules with edits that are not saved.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    result: z.array(
      z.object({
        path: z.string(),
        name: z.string().describe('Dotted, from the project folder.'),
        is_dirty: z.boolean(),
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps) {
    const dirty = new Set(pluto.dirty);
    const result = pluto.files.map(path => ({ path, name: moduleName(path), is_dirty: dirty.has(path) }));
    return { result, summary: `${count(result.length, 'module')}, ${dirty.size} not saved.` };
  },
  inWords: ({ summary, result }) => [summary, ...result.map(({ path }) => path)].join('\n'),
});
