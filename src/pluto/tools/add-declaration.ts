import * as z from 'zod';
import { addDeclaration as add } from '../session/edits/add-declaration.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { moduleArgument, positionArgument, problemsInWords } from './shapes.ts';

export const addDeclaration = defineTool({
  name: 'add_declaration',
  title: 'Add a declaration to a module',
  description: `Adds one declaration (function, class, enum, trait, error, app, stage, system, extern function, test) to a module, in memory.

Write it with the comments that belong above it; imports above it that the module lacks are added too. A source that cannot be parsed changes nothing; type errors are told and do not stand in the way. Call save when all is well.`,
  toolset: 'pluto',
  effect: 'write',
  input: z.strictObject({
    path: moduleArgument,
    source: z.string().describe('Pluto text of exactly one declaration.'),
    position: positionArgument,
  }),
  output: z.object({ id: z.string().describe('The id of the new declaration.'), ...editShape }),
  async run(deps: PlutoToolDeps, args, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => add(deps.pluto, args, call.signal),
      () => `Added to ${args.path}`,
    );
    return { id: edited.id, ...answer };
  },
  inWords: ({ id, summary, diagnostics }) => `${summary} Its id is ${id}.\n${problemsInWords(diagnostics)}`,
});
