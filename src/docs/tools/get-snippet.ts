import * as z from 'zod';
import { strictTerms } from '../retrieval.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { cursorArgument, pathArgument, checkArguments, scopeArgument } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { formatText, Meta, toMeta } from './envelope.ts';
import { fileShape, toLine } from './open-file.ts';

const input = z.strictObject({
  scope: scopeArgument,
  path: pathArgument.min(1),
  start_line: z.int().min(1).describe('First line, starting at 1.'),
  end_line: z.int().min(1).describe('Last line, inclusive. A number past the end of the file means its last line.'),
  cursor: cursorArgument,
});

export const getSnippet = defineTool({
  name: 'get_snippet',
  title: 'Read lines of a file in the docs or code roots',
  description: `Reads lines start_line to end_line of a text file of a root, however large the file is. A range past the end of the file is shortened; start_line and end_line of the answer are the lines returned.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({
    result: z.object({ ...fileShape, start_line: z.int(), end_line: z.int() }),
    meta: Meta,
  }),
  refuse: args => checkArguments(args, Object.keys(input.shape), ['path', 'start_line', 'end_line']),
  async run(deps: DocsToolDeps, args, call) {
    const startedAt = deps.clock.now();
    const request = {
      scope: args.scope,
      path: args.path,
      cursor: args.cursor,
      startLine: args.start_line,
      endLine: args.end_line,
    };
    const { result, meta } = await deps.retrieval.getSnippet(request, strictTerms, call.signal);
    const { root, namespace, path, lines, encoding, startLine, endLine } = result;
    const summary = `Lines ${startLine} to ${endLine} of ${root}:${path}`;
    return {
      result: {
        root,
        type: namespace,
        path,
        start_line: startLine,
        end_line: endLine,
        lines: lines.map(toLine),
        encoding,
      },
      meta: toMeta(meta, startedAt, deps.clock.now(), summary),
    };
  },
  formatText,
});
