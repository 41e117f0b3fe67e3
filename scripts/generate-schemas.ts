/** Writes `media/schemas`, which VS Code uses to complete and check project, meta and model files. Run it after the class data changes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ReflectionData } from '../src/roblox/instances/reflection-data.ts';
import { metaSchema, modelSchema } from './schemas/files.ts';
import type { Schema } from './schemas/json-schema.ts';
import { projectSchema } from './schemas/project.ts';
import { valuesSchema } from './schemas/values.ts';

const data = readFileSync(new URL('../src/roblox/instances/reflection.generated.json', import.meta.url), 'utf8');

const schemas: Readonly<Record<string, Schema>> = {
  // Written by our own script together with its type.
  'values.schema.json': valuesSchema(JSON.parse(data) as ReflectionData),
  'project.schema.json': projectSchema,
  'meta.schema.json': metaSchema,
  'model.schema.json': modelSchema,
};

/** The generated text by its path from the root of the repository. */
export const generatedSchemas: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [`media/schemas/${name}`, `${JSON.stringify(schema, null, 1)}\n`]),
);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(new URL('../media/schemas', import.meta.url), { recursive: true });
  for (const [path, text] of Object.entries(generatedSchemas)) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
    console.log(`wrote ${path}`);
  }
}
