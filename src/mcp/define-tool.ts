import * as z from 'zod';
import { invoke } from './invoke.ts';
import { ToolFailure } from './result.ts';
import type { Effect, JsonObjectSchema, Tool, ToolListing, ToolSpec } from './tool.ts';

/** Closes a tool over its schemas, so that tools of every shape fit into one list. */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject, Deps>(
  spec: ToolSpec<In, Out, Deps>,
): Tool<Deps> {
  // Created on first use: creating the schemas of all tools would slow the start down.
  let input: JsonObjectSchema | undefined;
  let output: JsonObjectSchema | undefined;
  return {
    toolset: spec.toolset,
    listing: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      get inputSchema() {
        return (input ??= jsonSchema(spec.input, 'input'));
      },
      get outputSchema() {
        return (output ??= answerSchema(spec.output));
      },
      ...(spec.card !== undefined && { _meta: { ui: { resourceUri: spec.card } } }),
      annotations: { title: spec.title, ...hints[spec.effect], openWorldHint: spec.reachesOut ?? false },
    },
    call: (deps, rawArguments, call) => invoke(spec, deps, rawArguments, call),
  };
}

/** A tool answers its output or a failure. */
const answerSchema = (output: z.ZodObject): JsonObjectSchema => ({
  type: 'object',
  anyOf: [jsonSchema(output, 'output'), jsonSchema(ToolFailure, 'output')],
});

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
