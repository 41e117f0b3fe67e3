import * as z from 'zod';
import { replaceDeclaration as replace } from '../session/edits/replace-declaration.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { idArgument, problemsInWords } from './shapes.ts';

export const replaceDeclaration = defineTool({
  name: 'replace_declaration',
  title: 'Replace a declaration',
  description: `Gives a declaration or member another text of the same kind, in memory. Its id stays, and so do the ids of fields, methods and variants that keep their names.

Comments above it stay. To give it another name use rename_declaration, which changes its references too. undo takes it back.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    id: idArgument,
    source: z.string().describe('Pluto text of exactly one declaration or member of the same kind.'),
  }),
  output: z.object({ id: z.string(), ...editShape }),
  async run(deps: PlutoToolDeps, args, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => replace(deps.pluto, args, call.signal),
      ({ modules }) => (modules.length === 0 ? 'It was so already' : `Replaced in ${modules.join(', ')}`),
    );
    return { id: edited.id, ...answer };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
