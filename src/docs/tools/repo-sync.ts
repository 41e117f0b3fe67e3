import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { formatSentence } from '../../base/sentence.ts';
import { asLines } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { GitSyncReport, GitSyncRequest } from '../ports/git-roots.ts';
import { forAgent, toErrorBody } from '../../protocol/error-body.ts';
import { Acknowledgement, type ActionOutcome } from '../../protocol/acknowledgement.ts';
import { ErrorBody } from '../../protocol/sync-result.ts';
import { checkArguments } from './arguments.ts';
import { chosenRoots, isGitRoot, checkRootArgument, type RepoToolDeps } from './repo-tool-deps.ts';

const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const modes = ['check', 'fetch', 'update', 'reset', 'checkout'] as const;

const SyncReport = z.object({
  root: z.string(),
  mode: z.enum(modes),
  status: z.enum(['up_to_date', 'initialised', 'updated', 'fetched', 'checked', 'refused', 'failed']),
  before: z.string().nullable().describe('The commit that was served before; null: none.'),
  after: z.string().nullable().describe('The commit that is served now.'),
  remote: z.string().nullable().describe('The commit of the remote.'),
  ref: z.string().nullable(),
  dirty: z.boolean().describe('Whether the previously served files had local changes.'),
  started_at: z.string(),
  finished_at: z.string(),
  network: z.boolean().describe('Whether the remote was contacted.'),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  error: ErrorBody.nullable().describe('The reason if status is refused or failed.'),
});

export const repoSync = defineTool({
  name: 'repo_sync',
  title: 'Sync git roots',
  description: 'Updates git roots from their remotes: the only tool of the docs toolset that uses the network.',
  details: `Roots are synced one after the other; a root that fails keeps serving its current commit and does not stop the others.

mode check only asks the remote for its commit. fetch downloads new commits and keeps serving the current one. update (the default) moves to the new commit if that is a descendant of the served one; a rewritten history is refused with DIVERGED. reset moves to it anyway and requires expected_commit. checkout moves to a commit that was already fetched, without the network.`,
  toolset: 'docs',
  effect: 'write',
  reachesOut: true,
  input: z.strictObject({
    root: z
      .union([z.string(), z.array(z.string())])
      .describe('The id of a git root, a namespace, a list of these, or all for every git root.'),
    mode: z.enum(modes).default('update'),
    expected_commit: commit.optional().describe('For reset: the full id of the commit that is served now.'),
    commit: commit.optional().describe('For checkout: the full id of the commit to serve.'),
  }),
  output: z.object({
    result: z.array(SyncReport),
    meta: z.object({ duration_ms: z.number(), truncated: z.boolean(), summary: z.string() }),
    ...Acknowledgement.shape,
  }),
  refuse: args => checkArguments(args, ['root', 'mode', 'expected_commit', 'commit']) ?? checkRootArgument(args),
  async run(deps: RepoToolDeps, args, call) {
    const startedAt = deps.clock.now();
    const { roots, named, policy } = await chosenRoots(deps, args.root);
    const request = requestOf(args);
    const local = roots.find(root => named.has(root.id) && !isGitRoot(root));
    if (local !== undefined)
      throw new AppError('SCOPE_INVALID', {
        reason: `${local.id} is a local folder; only git roots can be synced`,
      });
    const result: z.infer<typeof SyncReport>[] = [];
    for (const root of roots.filter(isGitRoot)) {
      const progress = (step: string): void => call.progress?.(`${root.id}: ${step}`);
      const report = await deps.gitRoots.sync(root, policy, request, progress, call.signal);
      result.push(toOutput(root.id, request.mode, report));
    }
    const elapsedMs = Math.round(deps.clock.now() - startedAt);
    return {
      result,
      outcome: outcomeOf(result),
      evidence: { kind: 'git.answered', strength: 'reply' as const },
      elapsedMs,
      meta: {
        duration_ms: elapsedMs,
        truncated: false,
        summary: `${counted(result.length, 'git root')}: ${result.map(one => `${one.root} ${one.status}`).join(', ') || 'none'}`,
      },
    };
  },
  formatText: ({ result, meta }) =>
    asLines(
      `${meta.summary}.`,
      ...result.flatMap(one => [
        ...(one.error === null ? [] : [`${one.root}: ${formatSentence(forAgent(one.error))}`]),
        ...one.warnings.map(warning => `${one.root}: ${warning.message}.`),
      ]),
    ),
  isError: ({ result }) => result.some(one => one.error !== null),
});

function outcomeOf(reports: readonly z.infer<typeof SyncReport>[]): ActionOutcome {
  const all = (...wanted: readonly string[]): boolean => reports.every(({ status }) => wanted.includes(status));
  if (all('up_to_date', 'checked')) return reports.some(({ status }) => status === 'checked') ? 'done' : 'already';
  if (all('refused')) return 'refused';
  return reports.some(({ status }) => status === 'refused' || status === 'failed') ? 'failed' : 'done';
}

/** @throws AppError INVALID_INPUT */
function requestOf(args: {
  readonly mode: (typeof modes)[number];
  readonly expected_commit?: string | undefined;
  readonly commit?: string | undefined;
}): GitSyncRequest {
  const { mode, expected_commit: expectedCommit, commit: wanted } = args;
  const problems = [
    ...(mode === 'reset' && expectedCommit === undefined ? ['mode reset requires expected_commit'] : []),
    ...(mode !== 'reset' && expectedCommit !== undefined ? ['expected_commit is only valid with mode reset'] : []),
    ...(mode === 'checkout' && wanted === undefined ? ['mode checkout requires commit'] : []),
    ...(mode !== 'checkout' && wanted !== undefined ? ['commit is only valid with mode checkout'] : []),
  ];
  if (problems.length > 0) throw new AppError('INVALID_INPUT', { problems: problems.join('; ') });
  if (mode === 'reset') return { mode, expectedCommit: expectedCommit ?? '' };
  if (mode === 'checkout') return { mode, commit: wanted ?? '' };
  return { mode };
}

function toOutput(root: string, mode: (typeof modes)[number], report: GitSyncReport): z.infer<typeof SyncReport> {
  const { startedAt, finishedAt, warnings, error, ...rest } = report;
  return {
    root,
    mode,
    ...rest,
    started_at: startedAt,
    finished_at: finishedAt,
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    error: error === undefined ? null : toErrorBody(error),
  };
}
