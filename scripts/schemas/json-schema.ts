/** JSON Schema, draft 7, which is what VS Code checks; as far as our schemas go. */
export type Schema = Readonly<Record<string, unknown>>;

/** How a schema of ours begins. The last two are VS Code's own: both dialects read comments and commas at the end in every file. */
export const head = (title: string): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title,
  allowComments: true,
  allowTrailingCommas: true,
});

export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});
export const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
export const tuple = (item: Schema, length: number): Schema => list(item, { minItems: length, maxItems: length });
export const anyOf = (...schemas: readonly Schema[]): Schema => ({ anyOf: schemas });
export const named = (schema: Schema, description: string): Schema => ({ ...schema, description });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const oneOfNames = (names: readonly string[]): Schema => ({ enum: names });

/** A definition of `values.schema.json`, from one of the schemas beside it. */
export const valueRef = (name: string): Schema => ({ $ref: `values.schema.json#/definitions/${name}` });
