import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import type { Line } from '../files/text.ts';
import { strictTerms } from '../retrieval.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { namespaces } from '../../protocol/roots.ts';
import { cursorArgument, pathArgument, checkArguments, scopeArgument } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { formatText, Meta, toMeta } from './envelope.ts';

const input = z.strictObject({ scope: scopeArgument, path: pathArgument.min(1), cursor: cursorArgument });

/** Output fields of `open_file` and `get_snippet`. */
export const fileShape = {
  root: z.string(),
  type: z.enum(namespaces),
  path: z.string(),
  lines: z.array(
    z.object({
      line: z.int(),
      text: z.string(),
      text_truncated: z
        .literal(true)
        .optional()
        .describe('Whether text is only the beginning of a line that exceeds the answer limit.'),
    }),
  ),
  encoding: z.enum(['utf-8', 'utf-16', 'lossy']).describe('lossy: bytes that are not valid UTF-8 were replaced.'),
};

/** Converts a line to the output of `open_file` and `get_snippet`. */
export const toLine = ({ line, text, isCut }: Line) => ({
  line,
  text,
  ...(isCut === true ? { text_truncated: isCut } : {}),
});

export const openFile = defineTool({
  name: 'open_file',
  title: 'Read a file in the docs or code roots',
  description: `Reads a whole text file of a root as numbered lines. Long files are split into pages; files over 2 MB are refused with FILE_TOO_LARGE: read a part with get_snippet.

Hidden and ignored files, binary files, and links out of the root are refused. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({ result: z.object(fileShape), meta: Meta }),
  refuse: args => checkArguments(args, Object.keys(input.shape), ['path']),
  async run(deps: DocsToolDeps, args, call) {
    const startedAt = deps.clock.now();
    const { result, meta } = await deps.retrieval.openFile(
      { scope: args.scope, path: args.path, cursor: args.cursor },
      strictTerms,
      call.signal,
    );
    const { root, namespace, path, lines, encoding } = result;
    return {
      result: { root, type: namespace, path, lines: lines.map(toLine), encoding },
      meta: toMeta(meta, startedAt, deps.clock.now(), `${counted(lines.length, 'line')} of ${root}:${path}`),
    };
  },
  formatText,
});
