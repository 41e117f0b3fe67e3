import type * as z from 'zod';
import { invoke } from './invoke.ts';
import { inputSchema, outputSchema } from './tool-schemas.ts';
import type { DefinedTool, Effect, JsonObjectSchema, ToolListing, ToolSpec } from './tool.ts';

/** Creates a tool that hides the types of its schemas, so that all tools fit into one list. */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject, Deps>(
  spec: ToolSpec<In, Out, Deps>,
): DefinedTool<Deps> {
  // Created on first use: creating the schemas of all tools would delay the start.
  let input: JsonObjectSchema | undefined;
  let output: JsonObjectSchema | undefined;
  return {
    toolset: spec.toolset,
    listing: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      get inputSchema() {
        return (input ??= inputSchema(spec));
      },
      get outputSchema() {
        return (output ??= outputSchema(spec));
      },
      ...(spec.card !== undefined && { _meta: { ui: { resourceUri: spec.card } } }),
      annotations: { title: spec.title, ...hints[spec.effect], openWorldHint: spec.reachesOut ?? false },
    },
    call: (deps, rawArguments, call) => invoke(spec, deps, rawArguments, call),
    // The type of the output is hidden, so the caller ensures it.
    formatText: output => spec.formatText(output as z.output<Out>),
  };
}

const hints: Readonly<Record<Effect, Omit<ToolListing['annotations'], 'title' | 'openWorldHint'>>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};
