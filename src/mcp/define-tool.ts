import * as z from 'zod';
import { invoke } from './invoke.ts';
import { ToolFailure } from './result.ts';
import type { Effect, JsonObjectSchema, Tool, ToolListing, ToolSpec } from './tool.ts';

/** Closes a tool over its schemas, so that tools of every shape fit into one list. */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject, Deps>(
  spec: ToolSpec<In, Out, Deps>,
): Tool<Deps> {
  return {
    toolset: spec.toolset,
    listing: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      inputSchema: jsonSchema(spec.input, 'input'),
      outputSchema: { type: 'object', anyOf: [jsonSchema(spec.output, 'output'), jsonSchema(ToolFailure, 'output')] },
      ...(spec.card !== undefined && { _meta: { ui: { resourceUri: spec.card } } }),
      annotations: { title: spec.title, ...hints[spec.effect], openWorldHint: spec.reachesOut ?? false },
    },
    call: (deps, rawArguments, call) => invoke(spec, deps, rawArguments, call),
  };
}

const hints: Readonly<Record<Effect, Omit<ToolListing['annotations'], 'title' | 'openWorldHint'>>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/**
 * Without `$schema`, because validators that know another draft refuse it, and without `propertyNames`, which some model providers
 * refuse and which says nothing here: the names of a JSON object are strings anyway.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonObjectSchema {
  const { $schema: _, ...keywords } = z.toJSONSchema(schema, {
    io,
    target: 'draft-7',
    override: ({ jsonSchema: node }) => {
      delete node.propertyNames;
    },
  });
  return { ...keywords, type: 'object' };
}
