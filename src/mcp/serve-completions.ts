import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CompleteRequestSchema, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Completer, ToolView } from './registry.ts';

/** The maximum of the protocol. */
const MAX_VALUES = 100;

/** Answers `completion/complete` for arguments of prompts and of resource templates. Arguments without known values have no completions. */
export function serveCompletions(server: Server, view: ToolView): void {
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }) => {
    const owner = ref.type === 'ref/prompt' ? ref.name : ref.uri;
    const isKnown =
      ref.type === 'ref/prompt'
        ? view.prompts.some(({ name }) => name === owner)
        : view.resources.some(({ templates }) => templates.some(({ uriTemplate }) => uriTemplate === owner));
    if (!isKnown) throw new McpError(ErrorCode.InvalidParams, `Unknown reference ${owner}.`);
    const values = await complete(view.completers, owner, argument);
    return {
      completion: {
        values: values.slice(0, MAX_VALUES),
        total: values.length,
        hasMore: values.length > MAX_VALUES,
      },
    };
  });
}

/** Values that start with the typed text come first, then those that contain it. */
async function complete(
  completers: readonly Completer[],
  owner: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const candidates of completers) found.push(...((await candidates(owner, name)) ?? []));
  const typed = value.toLowerCase();
  const starts = found.filter(one => one.toLowerCase().startsWith(typed));
  const contains = found.filter(one => one.toLowerCase().includes(typed) && !one.toLowerCase().startsWith(typed));
  return [...new Set([...starts, ...contains])];
}
