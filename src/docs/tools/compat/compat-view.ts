import { AppError } from '../../../base/errors.ts';
import type { ToolView } from '../../../mcp/registry.ts';
import type { ToolResult } from '../../../mcp/result.ts';
import type { ToolCall } from '../../../mcp/tool.ts';
import type { DocsToolDeps } from '../docs-tool-deps.ts';
import { type CompatTool, compatTools } from './compat-tools.ts';
import { OldToolError, toOldError } from './old-error.ts';
import { readTarget } from './old-target.ts';

/** The old answer format, which knows two roots. */
interface OldEnvelope {
  readonly result: unknown;
  readonly meta: { readonly repo: string; readonly duration_ms: number; readonly truncated: boolean };
}

/**
 * Creates the docs tools for old clients: the five old tools with their old arguments, defaults, results and errors, on top of the same
 * retrieval. New result fields are omitted and unknown arguments are ignored. Calls reject with `OldToolError`, which is sent as a
 * protocol error.
 *
 * @param view the current tools; tools that did not exist before are served from it unchanged
 */
export function createCompatView(deps: DocsToolDeps, view: ToolView): ToolView {
  const old = new Map(compatTools.map(tool => [tool.name, tool]));
  return {
    ...view,
    // The old server listed its output schema.
    listsOutputSchemas: true,
    listings: view.listings.map(listing => {
      const tool = old.get(listing.name);
      return tool === undefined
        ? listing
        : { ...listing, inputSchema: tool.inputSchema, outputSchema: envelopeSchema, description: tool.description };
    }),
    call(name, rawArguments, call) {
      const tool = old.get(name);
      if (tool !== undefined) return callOld(deps, tool, rawArguments, call);
      return view.call(name, rawArguments, call) ?? Promise.reject(OldToolError.unknownTool(name));
    },
  };
}

const envelopeSchema = {
  type: 'object',
  properties: { result: {}, meta: { type: 'object' } },
  required: ['result', 'meta'],
} as const;

async function callOld(
  deps: DocsToolDeps,
  tool: CompatTool,
  rawArguments: unknown,
  call: ToolCall,
): Promise<ToolResult & { readonly data: unknown; readonly _meta?: Readonly<Record<string, unknown>> }> {
  const startedAt = deps.clock.now();
  const args: Readonly<Record<string, unknown>> =
    typeof rawArguments === 'object' && rawArguments !== null ? { ...rawArguments } : {};
  let repo = 'both';
  try {
    const target = readTarget(args, tool.takesBoth);
    repo = target.repo;
    const { result, meta, repo: answered = repo } = await tool.run(deps, args, target, call.signal);
    const envelope: OldEnvelope = {
      result,
      meta: {
        repo: answered,
        duration_ms: Math.round(deps.clock.now() - startedAt),
        truncated: meta?.truncated ?? false,
      },
    };
    return {
      structuredContent: { ...envelope },
      content: [{ type: 'text', text: JSON.stringify(envelope) }],
      data: envelope,
      isError: false,
      ...(args['repo'] === undefined ? {} : { _meta: { deprecated: ['repo'] } }),
    };
  } catch (error) {
    throw toOldError(AppError.from(error), repo);
  }
}
