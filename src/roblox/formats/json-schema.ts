/** The used subset of JSON Schema draft 7. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The other document that a `$ref` names, such as `values.schema.json`. */
export type SchemaAt = (name: string) => JsonSchema | undefined;

/** A schema in its document. */
export interface PlacedSchema {
  readonly schema: JsonSchema;
  /** The target of `#/…`. */
  readonly document: JsonSchema;
}

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas of a keyword that takes a list of them, such as `anyOf`. */
export const schemasOf = (list: unknown): readonly JsonSchema[] => (Array.isArray(list) ? list.filter(isSchema) : []);

/** The target of the schema's `$ref`; `undefined` without one, and if it has no target. */
export function resolveSchemaReference(
  { schema, document }: PlacedSchema,
  schemaAt: SchemaAt,
): PlacedSchema | undefined {
  if (typeof schema['$ref'] !== 'string') return undefined;
  const [name = '', pointer = ''] = schema['$ref'].split('#');
  const target = name === '' ? document : schemaAt(name);
  let found: unknown = target;
  for (const key of pointer.split('/').slice(1)) found = isSchema(found) ? found[key] : undefined;
  return target && isSchema(found) ? { schema: found, document: target } : undefined;
}

/** The schema of the member with that name; `undefined` if it is not allowed or not restricted. */
export function memberSchema({ schema, document }: PlacedSchema, name: string): PlacedSchema | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  const own = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const byPattern = Object.entries(isSchema(patternProperties) ? patternProperties : {}).find(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  )?.[1];
  const found = own ?? byPattern ?? additionalProperties;
  return isSchema(found) ? { schema: found, document } : undefined;
}
