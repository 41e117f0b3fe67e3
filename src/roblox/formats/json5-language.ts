import type { JsonSchema } from './json-schema.ts';
import { checkJson5, type SchemaFinding } from './schema-check.ts';
import { completeJson5, type Completion } from './schema-completion.ts';

/** The kinds of files that have a schema. */
export const json5Kinds = ['project', 'meta', 'model'] as const;
export type Json5Kind = (typeof json5Kinds)[number];

/** The schema files: one per kind, and the ones that they refer to. */
export const schemaFiles: readonly string[] = [...json5Kinds, 'values'].map(kind => `${kind}.schema.json`);

/** The language features for project, meta and model files in JSON5. */
export interface Json5Language {
  complete(place: { readonly kind: Json5Kind; readonly text: string; readonly offset: number }): readonly Completion[];
  check(document: { readonly kind: Json5Kind; readonly text: string }): readonly SchemaFinding[];
}

/** The options of the thread. */
export interface Json5ThreadOptions {
  /** The folder of `schemaFiles`, absolute. */
  readonly schemas: string;
}

/** @param schemas by the names in `schemaFiles` */
export function createJson5Language(schemas: ReadonlyMap<string, JsonSchema>): Json5Language {
  const schemaAt = (name: string): JsonSchema | undefined => schemas.get(name);
  const schemaOf = (kind: Json5Kind): JsonSchema => schemaAt(`${kind}.schema.json`) ?? {};
  return {
    complete: ({ kind, text, offset }) => completeJson5(text, offset, schemaOf(kind), schemaAt),
    check: ({ kind, text }) => checkJson5(text, schemaOf(kind), schemaAt),
  };
}
