import * as z from 'zod';
import { renameDeclaration as rename } from '../session/edits/rename-declaration.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { idArgument, problemsInWords } from './shapes.ts';

export const renameDeclaration = defineTool({
  name: 'rename_declaration',
  title: 'Rename a declaration everywhere',
  description: `Gives a declaration, method, field, variant or parameter another name, and changes every reference in all modules, in memory. Its id stays.

A method takes those along that it implements or that implement it. A name that is taken, or that would mean something else somewhere, is refused and nothing changes.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({ id: idArgument, new_name: z.string().describe('An identifier.') }),
  output: z.object({
    id: z.string(),
    old_name: z.string(),
    new_name: z.string(),
    references_updated: z.number().describe('Places that name it, declarations not counted.'),
    ...editShape,
  }),
  async run(deps: PlutoToolDeps, args, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => rename(deps.pluto, { id: args.id, newName: args.new_name }, call.signal),
      ({ oldName, newName, references }) => `${oldName} is now ${newName}, at ${references} references too`,
    );
    return {
      id: edited.id,
      old_name: edited.oldName,
      new_name: edited.newName,
      references_updated: edited.references,
      ...answer,
    };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
