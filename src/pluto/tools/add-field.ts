import * as z from 'zod';
import { addField as add } from '../session/edits/add-member.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { idArgument, problemsInWords } from './shapes.ts';

export const addField = defineTool({
  name: 'add_field',
  title: 'Add a field',
  description: `Adds one field to a class, error or enum variant, in memory; injected puts it into the brackets of a class, app or stage as a dependency.

Literals that lack the field are errors afterwards and are listed; constructors_of finds them all.`,
  toolset: 'pluto',
  effect: 'write',
  input: z.strictObject({
    target_id: idArgument.describe('The id of the class, error or variant.'),
    name: z.string(),
    type: z.string().describe('int, [string], Map<string, int>, …'),
    injected: z.boolean().default(false),
  }),
  output: z.object({ id: z.string().describe('The id of the new field.'), ...editShape }),
  async run(deps: PlutoToolDeps, { target_id: ownerId, name, type, injected }, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => add(deps.pluto, { ownerId, name, type, isInjected: injected }, call.signal),
      ({ modules }) => `${name} is added in ${modules.join(', ')}`,
    );
    return { id: edited.id, ...answer };
  },
  inWords: ({ id, summary, diagnostics }) => `${summary} Its id is ${id}.\n${problemsInWords(diagnostics)}`,
});
