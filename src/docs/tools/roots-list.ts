import { counted } from '../../base/plural.ts';
import { withoutSecrets } from '../../base/url-secrets.ts';
import * as z from 'zod';
import type { ListedRoot } from '../list-roots.ts';
import { asLines } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { namespaces } from '../../protocol/roots.ts';
import { checkArguments } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';

const ListedRootOutput = z.object({
  id: z.string(),
  type: z.enum(namespaces),
  kind: z.enum(['local', 'git']),
  title: z.string().nullable(),
  state: z.enum(['ready', 'ROOT_NOT_SYNCED', 'ROOT_UNAVAILABLE', 'ROOT_CACHE_MISMATCH']),
  reason: z.string().nullable().describe('Why the root is not ready.'),
  workdir: z.string().nullable().describe('Folder with the files of the root.'),
  commit: z.string().nullable(),
  url: z.string().nullable(),
  ref: z.string().nullable().describe("The configured ref; null: the remote's default branch."),
  subdir: z.string(),
});

export const rootsList = defineTool({
  name: 'roots_list',
  title: 'List the docs and code roots',
  description: `Lists every configured root with its id for scope, its namespace (type), where its files are, and whether it is ready. Also reports every problem of the configuration. Git roots that were never synced require repo_sync. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    result: z.object({
      roots: z.array(ListedRootOutput),
      problems: z.array(
        z.object({
          reason: z.string(),
          variable: z.string(),
          message: z.string(),
          root: z.string().optional(),
          path: z.string().optional(),
        }),
      ),
      warnings: z.array(z.string()),
    }),
    meta: z.object({ duration_ms: z.number(), truncated: z.boolean(), summary: z.string() }),
  }),
  refuse: args => checkArguments(args, []),
  async run(deps: DocsToolDeps) {
    const startedAt = deps.clock.now();
    const { roots, problems, warnings } = await deps.retrieval.listRoots();
    return {
      result: { roots: roots.map(toOutput), problems: problems.map(one => ({ ...one })), warnings: [...warnings] },
      meta: {
        duration_ms: Math.round(deps.clock.now() - startedAt),
        truncated: false,
        summary: `${counted(roots.length, 'root')}, ${counted(problems.length, 'problem')}`,
      },
    };
  },
  formatText: ({ result, meta }) =>
    asLines(`${meta.summary}.`, ...result.problems.map(one => `${one.variable} ${one.message}`), ...result.warnings),
});

function toOutput({ definition, checkout }: ListedRoot): z.infer<typeof ListedRootOutput> {
  const { id, namespace, title = null, source, subdir } = definition;
  return {
    id,
    type: namespace,
    kind: source.kind,
    title,
    state: checkout.kind === 'present' ? 'ready' : checkout.code,
    reason: checkout.kind === 'present' ? null : checkout.reason,
    workdir: checkout.kind === 'present' ? checkout.folder : null,
    commit: checkout.kind === 'present' ? (checkout.commit ?? null) : null,
    url: source.kind === 'git' ? withoutSecrets(source.url) : null,
    ref: source.kind === 'git' ? (source.ref ?? null) : null,
    subdir,
  };
}
