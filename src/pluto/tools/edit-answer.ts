import * as z from 'zod';
import type { Finding } from '../session/findings.ts';
import { afterEdit, findingsOf } from '../session/findings.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { Diagnostics, Summary, toDiagnostics } from './shapes.ts';

/** What every edit answers besides what it is about. */
export const editShape = {
  modules: z.array(z.string()).describe('Modules that differ from before; save writes them.'),
  diagnostics: Diagnostics.describe('What is wrong in these modules now, and elsewhere what was not before.'),
  summary: Summary,
  ...Acknowledgement.shape,
};

interface Edited {
  readonly modules: readonly string[];
}

/** Makes an edit, and says what the checker thinks of it. */
export async function answerEdit<T extends Edited>(
  { pluto, clock }: PlutoToolDeps,
  { signal }: ToolCall,
  edit: () => Promise<T>,
  inWords: (edited: T) => string,
) {
  const startedAt = clock.now();
  const before: readonly Finding[] = await findingsOf(pluto, signal);
  const edited = await edit();
  const found = afterEdit(before, await findingsOf(pluto, signal), edited.modules);
  const errors = found.filter(({ severity }) => severity === 'error').length;
  const state = errors === 0 ? 'no errors' : errors === 1 ? 'one error' : `${errors} errors`;
  return {
    edited,
    answer: {
      modules: [...edited.modules],
      diagnostics: toDiagnostics(found),
      summary: `${inWords(edited)}; ${state}. Not saved yet.`,
      outcome: edited.modules.length > 0 ? ('done' as const) : ('already' as const),
      evidence: { kind: 'module.parsed', strength: 'verified' as const },
      elapsedMs: Math.round(clock.now() - startedAt),
    },
  };
}
