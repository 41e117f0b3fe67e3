import * as z from 'zod';
import type { AppError } from '../../base/errors.ts';
import { inWords } from '../../base/sentence.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { forAgent, toErrorBody } from '../../protocol/error-body.ts';
import { ErrorBody } from '../../protocol/sync.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, moduleArgument, Summary } from './shapes.ts';

export const save = defineTool({
  name: 'save',
  title: 'Save edited modules',
  description: `Writes modules with edits to disk as .pluto containers, and answers when they were read back and are what they should be.

A module that somebody changed on disk since it was read is not overwritten: it is listed as failed, and its edits stay in memory.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({ path: moduleArgument.optional().describe('Only this module; left out: all with edits.') }),
  output: z.object({
    saved: z.array(z.string()),
    failed: z.array(z.object({ path: z.string(), error: ErrorBody })),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, clock }: PlutoToolDeps, { path }, { signal }) {
    const startedAt = clock.now();
    const wanted = path === undefined ? undefined : [(await pluto.module(path)).path];
    const results = await pluto.save(signal, wanted);
    const saved = results.flatMap(one => (one.kind === 'saved' ? [one.path] : []));
    const failures = results.flatMap(one => (one.kind === 'failed' ? [one] : []));
    const isWritten = saved.length > 0;
    const outcome = failures.length > 0 ? (isWritten ? 'failed' : 'refused') : isWritten ? 'done' : 'already';
    return {
      saved,
      failed: failures.map(one => ({ path: one.path, error: toErrorBody(one.error) })),
      summary:
        results.length === 0
          ? 'There was nothing to save.'
          : `${count(saved.length, 'module')} saved, ${failures.length} not.`,
      outcome: outcomeOf(
        outcome,
        failures.map(({ error }) => error),
      ),
      evidence: { kind: 'file.read_back', strength: 'verified' as const, files: saved.length },
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ failed }) => failed.length > 0,
  inWords: ({ summary, saved, failed }) =>
    [summary, ...saved, ...failed.map(({ path, error }) => `${path}: ${inWords(forAgent(error))}`)].join('\n'),
});

/** Nothing is called refused of which nobody can know whether it happened. */
const outcomeOf = <T extends string>(outcome: T, errors: readonly AppError[]): T | 'unknown' =>
  outcome === 'refused' && errors.some(({ retry }) => retry === 'ask') ? 'unknown' : outcome;
