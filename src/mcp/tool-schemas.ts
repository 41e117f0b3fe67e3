/**
 * The JSON schemas of a tool's entry in `tools/list`. The release build replaces this file with one that reads the same schemas from
 * `dist/tool-schemas.jsonl` (`esbuild.config.mjs`), because creating one of them takes up to 20 ms of a turn of the extension host.
 */
import * as z from 'zod';
import { ToolFailure } from './result.ts';
import type { JsonObjectSchema } from './tool.ts';

/** The parts of a tool that its schemas describe. */
export interface SchemaSource {
  readonly name: string;
  readonly details?: string | undefined;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
}

/** Creates the schema of the arguments. */
export const inputSchema = ({ details, input }: SchemaSource): JsonObjectSchema => ({
  ...(details !== undefined && { description: details }),
  ...jsonSchema(input, 'input'),
});

/** Creates the schema of an answer: the output of the tool, or a failure. */
export const outputSchema = ({ output }: SchemaSource): JsonObjectSchema => ({
  type: 'object',
  anyOf: [jsonSchema(output, 'output'), failureSchema()],
});

let failure: JsonObjectSchema | undefined;
/** The same for all tools. */
const failureSchema = (): JsonObjectSchema => (failure ??= jsonSchema(ToolFailure, 'output'));

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
