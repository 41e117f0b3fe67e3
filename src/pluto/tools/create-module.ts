import * as z from 'zod';
import { createModule as create } from '../session/edits/create-module.ts';
import { moduleName } from '../language/modules/module-name.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { pathArgument, problemsInWords } from './shapes.ts';

export const createModule = defineTool({
  name: 'create_module',
  title: 'Make a new module',
  description: `Makes a new module in memory; save makes its file, and folders that it needs. A folder of modules is imported by the folder's name.

Other modules can import it at once.`,
  toolset: 'pluto',
  effect: 'write',
  input: z.strictObject({
    path: pathArgument.describe('Where, relative to the project; ends in .pluto: math/matrices.pluto.'),
    source: z.string().default('').describe('Its text, if it shall have some from the start.'),
  }),
  output: z.object({ path: z.string(), name: z.string(), ...editShape }),
  async run(deps: PlutoToolDeps, args, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      async () => {
        const { path } = await create(deps.pluto, args, call.signal);
        return { path, modules: [path] };
      },
      ({ path }) => `${path} is made`,
    );
    return { path: edited.path, name: moduleName(edited.path), ...answer };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
