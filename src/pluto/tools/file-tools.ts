import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { formatSentence } from '../../base/sentence.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { forAgent, toErrorBody } from '../../protocol/error-body.ts';
import { ErrorBody } from '../../protocol/sync-result.ts';
import { generateView } from '../session/views/generate-view.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { inLines, moduleArgument, Summary } from './shapes.ts';

interface Failure {
  readonly path: string;
  readonly error: AppError;
}

const writeShape = {
  failed: z.array(z.object({ path: z.string(), error: ErrorBody })),
  summary: Summary,
  ...Acknowledgement.shape,
};

/** The part of the answer that says which files were written. */
function writeAnswer(failures: readonly Failure[], written: number) {
  const isAnyUnknown = failures.some(({ error }) => error.retry === 'ask');
  return {
    failed: failures.map(({ path, error }) => ({ path, error: toErrorBody(error) })),
    // `refused` claims that nothing happened, which is unknown while a write has no confirmed result.
    outcome:
      failures.length === 0
        ? written > 0
          ? ('done' as const)
          : ('already' as const)
        : written > 0
          ? ('failed' as const)
          : isAnyUnknown
            ? ('unknown' as const)
            : ('refused' as const),
    evidence: { kind: 'file.read_back', strength: 'verified' as const, files: written },
  };
}

const failureLines = (failed: readonly { readonly path: string; readonly error: z.infer<typeof ErrorBody> }[]) =>
  failed.map(({ path, error }) => `${path}: ${formatSentence(forAgent(error))}`);

export const save = defineTool({
  name: 'save',
  title: 'Save edited modules',
  description: 'Writes modules with unsaved edits to disk as .pluto containers, and reads them back before it answers.',
  details:
    'A module that changed on disk since it was read is not overwritten: it is listed under failed, and its edits stay in memory. To use the new file, call undo until the module is not dirty, then edit again.',
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: moduleArgument.optional().describe('Only this module. Default: every module with unsaved edits.'),
  }),
  output: z.object({ saved: z.array(z.string()), ...writeShape }),
  async run({ pluto, clock }: PlutoToolDeps, { path }, { signal }) {
    const startedAt = clock.now();
    const requested = path === undefined ? undefined : [(await pluto.module(path)).path];
    const results = await pluto.save(signal, requested);
    const saved = results.flatMap(one => (one.kind === 'saved' ? [one.path] : []));
    const failures = results.flatMap(one => (one.kind === 'failed' ? [one] : []));
    return {
      saved,
      summary:
        results.length === 0
          ? 'There are no unsaved edits.'
          : `Saved ${counted(saved.length, 'module')}, ${failures.length} failed.`,
      ...writeAnswer(failures, saved.length),
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ failed }) => failed.length > 0,
  formatText: ({ summary, saved, failed }) => inLines(summary, [...saved, ...failureLines(failed)]),
});

export const generatePt = defineTool({
  name: 'generate_pt',
  title: 'Write .pt views',
  description: 'Writes the .pt view of a .pluto module beside it, for people to read and edit.',
  details: `sync_pt reads it back. Call save first.

A .pt with edits that are not in its module is not overwritten; sync_pt applies them.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({ path: moduleArgument.optional().describe('Only this module. Default: all .pluto modules.') }),
  output: z.object({
    generated: z.array(z.object({ pluto_path: z.string(), pt_path: z.string() })),
    ...writeShape,
  }),
  async run({ pluto, clock }: PlutoToolDeps, { path }, { signal }) {
    const startedAt = clock.now();
    const generated: { pluto_path: string; pt_path: string }[] = [];
    const failures: Failure[] = [];
    let written = 0;
    for (const module of path === undefined ? pluto.files.filter(file => file.endsWith('.pluto')) : [path]) {
      signal.throwIfAborted();
      try {
        const made = await generateView(pluto, module);
        generated.push({ pluto_path: made.path, pt_path: made.view });
        if (made.outcome === 'done') written += 1;
      } catch (error) {
        if (path !== undefined) throw error;
        failures.push({ path: module, error: AppError.from(error) });
      }
    }
    return {
      generated,
      summary: `${counted(generated.length, 'view')} up to date (${written} written), ${failures.length} failed.`,
      ...writeAnswer(failures, written),
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ failed }) => failed.length > 0,
  formatText: ({ summary, failed }) => inLines(summary, failureLines(failed)),
});
