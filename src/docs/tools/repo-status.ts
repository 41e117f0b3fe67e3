import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { GitPolicy, RootDefinition } from '../../protocol/roots.ts';
import { namespaces } from '../../protocol/roots.ts';
import { toErrorBody } from '../../protocol/error-body.ts';
import { ErrorBody } from '../../protocol/sync-result.ts';
import { checkArguments } from './arguments.ts';
import { chosenRoots, isGitRoot, checkRootArgument, type RepoToolDeps } from './repo-tool-deps.ts';

const RootStatus = z.object({
  root: z.string(),
  type: z.enum(namespaces),
  kind: z.enum(['local', 'git']),
  state: z
    .enum([
      'local',
      'syncing',
      'never_synced',
      'source_changed',
      'missing',
      'auth_failed',
      'offline',
      'diverged',
      'dirty',
      'detached',
      'behind',
      'clean',
      'error',
    ])
    .describe('The state in one word: the most important of the facts below.'),
  checkout: z.enum(['never_synced', 'present', 'missing', 'source_changed']).nullable(),
  worktree: z.enum(['clean', 'dirty']).nullable(),
  head: z.enum(['branch', 'tag', 'pinned', 'detached']).nullable(),
  relation: z
    .enum(['up_to_date', 'behind', 'diverged', 'unknown'])
    .nullable()
    .describe('Relation of the served commit to the last fetched commit.'),
  last_attempt: z.object({ outcome: z.string().describe('ok, or an error code.'), at: z.string() }).nullable(),
  activity: z.enum(['idle', 'syncing', 'locked_elsewhere']).nullable(),
  commit: z.string().nullable().describe('The served commit.'),
  ref: z.string().nullable(),
  configured_ref: z.string().nullable().describe("null: the remote's default branch."),
  last_sync_at: z.string().nullable(),
  dirty: z.boolean().nullable().describe('Whether the served files have local changes.'),
  error: ErrorBody.nullable(),
});
type RootStatus = z.infer<typeof RootStatus>;

export const repoStatus = defineTool({
  name: 'repo_status',
  title: 'Show the state of the git roots',
  description: `Reports for each root which commit and ref it serves, when it was last synced, whether its files have local changes, and how it relates to the last fetched commit. Reads the disk only: to find out whether the remote has new commits, call repo_sync with mode check.`,
  toolset: 'docs',
  effect: 'read',
  input: z.strictObject({
    root: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('A root id, a namespace (docs, code, harness), all, or a list of these. Default: all roots.'),
  }),
  output: z.object({
    result: z.array(RootStatus),
    meta: z.object({ duration_ms: z.number(), truncated: z.boolean(), summary: z.string() }),
  }),
  refuse: args => checkArguments(args, ['root']) ?? checkRootArgument(args),
  async run(deps: RepoToolDeps, { root }, call) {
    const startedAt = deps.clock.now();
    const { roots, policy } = await chosenRoots(deps, root);
    const result: RootStatus[] = [];
    for (const one of roots) result.push(await statusOf(deps, one, policy, call.signal));
    return {
      result,
      meta: {
        duration_ms: Math.round(deps.clock.now() - startedAt),
        truncated: false,
        summary: `${counted(result.length, 'root')}: ${result.map(one => `${one.root} ${one.state}`).join(', ') || 'none'}`,
      },
    };
  },
  formatText: ({ meta }) => onOneLine(`${meta.summary}.`),
});

async function statusOf(
  deps: RepoToolDeps,
  root: RootDefinition,
  policy: GitPolicy,
  signal: AbortSignal,
): Promise<RootStatus> {
  const nothing = {
    root: root.id,
    type: root.namespace,
    kind: root.source.kind,
    checkout: null,
    worktree: null,
    head: null,
    relation: null,
    last_attempt: null,
    activity: null,
    commit: null,
    ref: null,
    configured_ref: root.source.kind === 'git' ? (root.source.ref ?? null) : null,
    last_sync_at: null,
    dirty: null,
    error: null,
  };
  if (!isGitRoot(root)) return { ...nothing, state: 'local' };
  try {
    const { lastAttempt, lastSyncAt, ...status } = await deps.gitRoots.status(root, policy, signal);
    return { ...nothing, ...status, last_attempt: lastAttempt, last_sync_at: lastSyncAt };
  } catch (error) {
    signal.throwIfAborted();
    // An unreadable root does not hide the others.
    return { ...nothing, state: 'error', error: toErrorBody(AppError.from(error)) };
  }
}
