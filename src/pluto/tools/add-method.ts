import * as z from 'zod';
import { addMethod as add } from '../session/edits/add-member.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { idArgument, positionArgument, problemsInWords } from './shapes.ts';

export const addMethod = defineTool({
  name: 'add_method',
  title: 'Add a method',
  description: 'Adds one method to a class, trait, app or stage, in memory. Call save when all is well.',
  toolset: 'pluto',
  effect: 'write',
  input: z.strictObject({
    class_id: idArgument.describe('The id of the class, trait, app or stage.'),
    source: z.string().describe('The text of one method: fn length(self) float { … }'),
    position: positionArgument,
  }),
  output: z.object({ id: z.string().describe('The id of the new method.'), ...editShape }),
  async run(deps: PlutoToolDeps, { class_id: ownerId, ...args }, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => add(deps.pluto, { ownerId, ...args }, call.signal),
      ({ modules }) => `Added in ${modules.join(', ')}`,
    );
    return { id: edited.id, ...answer };
  },
  inWords: ({ id, summary, diagnostics }) => `${summary} Its id is ${id}.\n${problemsInWords(diagnostics)}`,
});
