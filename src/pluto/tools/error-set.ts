import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { kindWords } from '../language/syntax/parts.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { ErrorName, idArgument, Summary } from './shapes.ts';

export const errorSet = defineTool({
  name: 'error_set',
  title: 'List the errors that a function can raise',
  description:
    'Lists every error that a function, method or test can raise to its caller, through everything that it calls. Errors that it catches are not among them.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({ result: z.array(ErrorName), summary: Summary }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const { item, id: known } = await pluto.item(id, signal);
    const found = pluto.checker.errorSetOf(known);
    if (found === undefined)
      throw new AppError('PLUTO_WRONG_KIND', { kind: kindWords[item.kind], wanted: 'a function or method' });
    const result = found.errors.map(error => ({ id: error.id, name: error.name }));
    const names = result.map(({ name }) => name).join(', ');
    return { result, summary: names === '' ? 'It raises nothing.' : `It can raise ${names}.` };
  },
  inWords: ({ summary }) => summary,
});
