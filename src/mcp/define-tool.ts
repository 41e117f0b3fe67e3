import * as z from 'zod';
import { invoke } from './invoke.ts';
import { ToolFailure } from './result.ts';
import type { DefinedTool, Effect, JsonObjectSchema, ToolListing, ToolSpec } from './tool.ts';

/** Creates a tool that hides the types of its schemas, so that all tools fit into one list. */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject, Deps>(
  spec: ToolSpec<In, Out, Deps>,
): DefinedTool<Deps> {
  // Created on first use: creating the schemas of all tools would delay the start.
  let input: JsonObjectSchema | undefined;
  let output: JsonObjectSchema | undefined;
  const { details } = spec;
  return {
    toolset: spec.toolset,
    listing: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      get inputSchema() {
        return (input ??= {
          ...(details !== undefined && { description: details }),
          ...jsonSchema(spec.input, 'input'),
        });
      },
      get outputSchema() {
        return (output ??= answerSchema(spec.output));
      },
      ...(spec.card !== undefined && { _meta: { ui: { resourceUri: spec.card } } }),
      annotations: { title: spec.title, ...hints[spec.effect], openWorldHint: spec.reachesOut ?? false },
    },
    call: (deps, rawArguments, call) => invoke(spec, deps, rawArguments, call),
    // The type of the output is hidden, so the caller ensures it.
    formatText: output => spec.formatText(output as z.output<Out>),
  };
}

/** The schema of an answer: the output of the tool, or a failure. */
const answerSchema = (output: z.ZodObject): JsonObjectSchema => ({
  type: 'object',
  anyOf: [jsonSchema(output, 'output'), failureSchema()],
});

let failure: JsonObjectSchema | undefined;
/** The same for all tools. */
const failureSchema = (): JsonObjectSchema => (failure ??= jsonSchema(ToolFailure, 'output'));

const hints: Readonly<Record<Effect, Omit<ToolListing['annotations'], 'title' | 'openWorldHint'>>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/**
 * Omits `$schema`, because validators of another draft reject it. Omits `propertyNames`, because some model providers reject it, and names of
 * a JSON object are always strings.
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
