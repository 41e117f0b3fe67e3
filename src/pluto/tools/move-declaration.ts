import * as z from 'zod';
import { moveDeclaration as move } from '../session/edits/move-declaration.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, moduleArgument, positionArgument, problemsInWords } from './shapes.ts';

export const moveDeclaration = defineTool({
  name: 'move_declaration',
  title: 'Move a declaration to another module',
  description: `Moves a top-level declaration with its comments into another module, in memory. Its id stays.

Every place that names it names it through the new module, imports are added, and it becomes pub where that is needed. Refused when a module that names it could not import the new one.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    id: idArgument,
    path: moduleArgument.describe('Path of the module that it goes to.'),
    position: positionArgument,
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    from: z.string(),
    to: z.string(),
    references_updated: z.number(),
    ...editShape,
  }),
  async run(deps: PlutoToolDeps, args, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => move(deps.pluto, args, call.signal),
      ({ name, to, references }) => `${name} is in ${to} now, ${count(references, 'reference')} updated`,
    );
    const { id, name, from, to, references } = edited;
    return { id, name, from, to, references_updated: references, ...answer };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
