import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { DefinedTool } from '../../mcp/tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { findingsAfterEdit, findingsOf } from '../session/findings.ts';
import type { PlutoSession } from '../session/pluto-session.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { Diagnostics, formatProblems, Summary, toDiagnostics } from './shapes.ts';

/** The part of the answer that all edits share. */
const editShape = {
  modules: z.array(z.string()).describe('Modules that the edit changed. save writes them.'),
  diagnostics: Diagnostics.describe('Problems in these modules, and new problems elsewhere.'),
  summary: Summary,
  ...Acknowledgement.shape,
};

interface EditResult {
  readonly modules: readonly string[];
}

interface EditSpec<In extends z.ZodObject, Facts extends z.ZodRawShape, Edited extends EditResult> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly details?: string;
  readonly effect: 'write' | 'destructive';
  readonly input: In;
  /** The part of the answer that only this edit has. */
  readonly output: Facts;
  readonly edit: (session: PlutoSession, args: z.output<In>, signal: AbortSignal) => Promise<Edited>;
  /** Starts the summary. */
  readonly summarize: (edited: Edited, args: z.output<In>) => string;
  readonly facts: (edited: Edited, session: PlutoSession) => z.output<z.ZodObject<Facts>>;
}

/** Defines a tool that edits modules in memory and answers with the findings that the edit leaves. */
export function defineEditTool<In extends z.ZodObject, Facts extends z.ZodRawShape, Edited extends EditResult>({
  edit,
  summarize,
  facts,
  output,
  ...listing
}: EditSpec<In, Facts, Edited>): DefinedTool<PlutoToolDeps> {
  return defineTool({
    ...listing,
    toolset: 'pluto',
    output: z.object(editShape).extend(output),
    async run({ pluto, clock }: PlutoToolDeps, args, { signal }) {
      const startedAt = clock.now();
      const before = await findingsOf(pluto, signal);
      const edited = await edit(pluto, args, signal);
      const found = findingsAfterEdit(before, await findingsOf(pluto, signal), edited.modules);
      const errors = found.filter(({ severity }) => severity === 'error').length;
      const isChanged = edited.modules.length > 0;
      const dirty = new Set<string>(pluto.dirty);
      const isUnsaved = edited.modules.some(path => dirty.has(path));
      const answer = {
        modules: [...edited.modules],
        diagnostics: toDiagnostics(found),
        summary: `${summarize(edited, args)}; ${errors === 0 ? 'no errors' : counted(errors, 'error')}.${isUnsaved ? ' Not saved yet.' : ''}`,
        outcome: isChanged ? ('done' as const) : ('already' as const),
        evidence: { kind: 'module.parsed', strength: 'verified' as const },
        elapsedMs: Math.round(clock.now() - startedAt),
      };
      // `output` is exactly these two parts, which TypeScript cannot see for a generic `Facts`.
      return { ...facts(edited, pluto), ...answer } as never;
    },
    formatText(result) {
      const { summary, diagnostics, id } = result as z.infer<z.ZodObject<typeof editShape>> & { readonly id?: string };
      return `${onOneLine(`${summary}${id === undefined ? '' : ` Its id is ${id}.`}`)}\n${formatProblems(diagnostics)}`;
    },
  });
}
