import * as z from 'zod';
import { deleteDeclaration as remove } from '../session/edits/delete-declaration.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, problemsInWords, usageOf, UsageSite } from './shapes.ts';

export const deleteDeclaration = defineTool({
  name: 'delete_declaration',
  title: 'Delete a declaration',
  description: `Takes a declaration or member out of its module with the comments above it, in memory, and lists every place that still names it.

Those places are not changed. undo brings the declaration back.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    deleted: z.string().describe('The name of what is gone.'),
    source: z.string().describe('Its text.'),
    dangling_references: z.array(UsageSite),
    ...editShape,
  }),
  async run(deps: PlutoToolDeps, { id }, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => remove(deps.pluto, id, call.signal),
      ({ name, dangling }) => `${name} is deleted, ${count(dangling.length, 'reference')} dangling`,
    );
    return {
      deleted: edited.name,
      source: edited.source,
      dangling_references: edited.dangling.map(usageOf),
      ...answer,
    };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
