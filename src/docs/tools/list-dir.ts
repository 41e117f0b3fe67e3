import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { strictTerms } from '../retrieval.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { namespaces } from '../../protocol/roots.ts';
import { cursorArgument, pathArgument, checkArguments, scopeArgument } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { formatText, Meta, toMeta } from './envelope.ts';

const input = z.strictObject({
  scope: scopeArgument,
  path: pathArgument.default('').describe('Folder, relative to the root. Default: the root itself.'),
  cursor: cursorArgument,
});

export const listDir = defineTool({
  name: 'list_dir',
  title: 'List a folder in the docs or code roots',
  description: `Lists one folder of a root, sorted by path. Without a path and with several roots in scope it lists the roots.

Hidden files and files excluded by .gitignore are skipped. A path that exists in several roots of the scope is refused with PATH_AMBIGUOUS: pass scope to choose one. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({
    result: z.object({
      root: z.string().nullable(),
      type: z.enum(namespaces).nullable(),
      path: z.string(),
      entries: z.array(z.object({ root: z.string(), path: z.string(), type: z.enum(['file', 'directory']) })),
    }),
    meta: Meta,
  }),
  refuse: args => checkArguments(args, Object.keys(input.shape)),
  async run(deps: DocsToolDeps, args, call) {
    const startedAt = deps.clock.now();
    const { result, meta } = await deps.retrieval.listDir(
      { scope: args.scope, path: args.path, cursor: args.cursor },
      strictTerms,
      call.signal,
    );
    const where = result.root === null ? 'the roots in scope' : `${result.root}:${result.path || '/'}`;
    return {
      result: {
        root: result.root,
        type: result.namespace,
        path: result.path,
        entries: result.entries.map(({ root, path, type }) => ({ root, path, type })),
      },
      meta: toMeta(meta, startedAt, deps.clock.now(), `${counted(result.entries.length, 'item')} in ${where}`),
    };
  },
  formatText,
});
