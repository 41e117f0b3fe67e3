import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerEdit, editShape } from './edit-answer.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { problemsInWords } from './shapes.ts';

export const undo = defineTool({
  name: 'undo',
  title: 'Undo the latest edit',
  description: `Takes the latest edit of this session back, in memory, with every id as it was; call it again for the one before.

An edit that was saved is undone in memory too, and save writes that. A module that somebody changed on disk meanwhile is left alone.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({}),
  output: z.object({
    undone: z.string().describe('The tool whose edit is undone.'),
    left: z.number().describe('Edits that can still be undone.'),
    ...editShape,
  }),
  async run(deps: PlutoToolDeps, _args, call) {
    const { edited, answer } = await answerEdit(
      deps,
      call,
      () => deps.pluto.undo(call.signal),
      ({ label }) => `${label} is undone`,
    );
    return { undone: edited.label, left: deps.pluto.undoDepth, ...answer };
  },
  inWords: ({ summary, diagnostics }) => `${summary}\n${problemsInWords(diagnostics)}`,
});
