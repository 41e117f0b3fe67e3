import * as z from 'zod';
import { findingsOf } from '../session/findings.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { Diagnostics, moduleArgument, problemsInWords, toDiagnostics } from './shapes.ts';

export const check = defineTool({
  name: 'check',
  title: 'Check the project',
  description: `Checks all modules as they are in memory: syntax, imports, names, types, errors. Answers every finding at once.

With a path only that module's findings are listed. success is false when one of them is an error.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ path: moduleArgument.optional().describe('Only what is wrong in this module.') }),
  output: z.object({ success: z.boolean(), diagnostics: Diagnostics }),
  async run({ pluto }: PlutoToolDeps, { path }, { signal }) {
    if (path !== undefined) await pluto.module(path);
    const diagnostics = toDiagnostics(
      await findingsOf(pluto, signal, path === undefined ? undefined : new Set([path])),
    );
    return { success: diagnostics.every(({ severity }) => severity !== 'error'), diagnostics };
  },
  inWords: ({ diagnostics }) => problemsInWords(diagnostics),
});
