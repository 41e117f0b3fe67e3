// Converts a reflection database (JSON as published by rbx-dom, MIT) to src/roblox/instances/reflection.generated.json.
//   node scripts/generate-reflection.ts PATH/TO/database.json [OUTPUT]
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { variantFromWire } from '../src/roblox/values/variant-wire.ts';
import type { ClassRow, ReflectionRow, ReflectionData } from '../src/roblox/instances/reflection-data.ts';

const Serialization = z.union([
  z.enum(['Serializes', 'DoesNotSerialize']),
  z.object({ SerializesAs: z.string() }),
  z.object({ Migrate: z.object({ To: z.union([z.string(), z.array(z.string())]), Migration: z.string() }) }),
]);
const PropertyEntry = z.object({
  Name: z.string(),
  Scriptability: z.enum(['ReadWrite', 'Read', 'Write', 'Custom', 'None']),
  DataType: z.union([z.object({ Value: z.string() }), z.object({ Enum: z.string() })]),
  Kind: z.union([
    z.object({ Canonical: z.object({ Serialization }) }),
    z.object({ Alias: z.object({ AliasFor: z.string() }) }),
  ]),
});
const ClassEntry = z.object({
  Name: z.string(),
  Tags: z.array(z.string()),
  Superclass: z.string().nullish(),
  Properties: z.record(z.string(), PropertyEntry),
  DefaultProperties: z.record(z.string(), z.unknown()),
});
const Database = z.object({
  Version: z.array(z.number()),
  Classes: z.record(z.string(), ClassEntry),
  Enums: z.record(z.string(), z.object({ items: z.record(z.string(), z.number()) })),
});
type Database = z.infer<typeof Database>;

/** Creates a pool that stores equal JSON values once and returns their index. */
function createPool<T>() {
  const indexes = new Map<string, number>();
  const items: T[] = [];
  const add = (item: T): number => {
    const text = JSON.stringify(item);
    const known = indexes.get(text);
    if (known !== undefined) return known;
    indexes.set(text, items.length);
    return items.push(item) - 1;
  };
  return { items, add };
}

function propertyRow(entry: z.infer<typeof PropertyEntry>): ReflectionRow {
  const type = 'Enum' in entry.DataType ? `@${entry.DataType.Enum}` : entry.DataType.Value;
  return [type, entry.Scriptability, serialization(entry.Kind)];
}

function serialization(kind: z.infer<typeof PropertyEntry>['Kind']): ReflectionRow[2] {
  if ('Alias' in kind) return { aliasFor: kind.Alias.AliasFor };
  const how = kind.Canonical.Serialization;
  if (how === 'Serializes') return 1;
  if (how === 'DoesNotSerialize') return 0;
  if ('SerializesAs' in how) return { as: how.SerializesAs };
  return { to: [how.Migrate.To].flat(), operation: how.Migrate.Migration };
}

/** Drops invalid defaults: JSON has no infinities, so the database contains `null` instead. */
const known = (defaults: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(defaults).filter(([, value]) => variantFromWire(value).ok));

function reduce(database: Database): ReflectionData {
  const rows = createPool<ReflectionRow>();
  const values = createPool<unknown>();
  const classes: Record<string, ClassRow> = {};
  for (const entry of Object.values(database.Classes)) {
    const tags = (entry.Tags.includes('Service') ? 1 : 0) + (entry.Tags.includes('NotCreatable') ? 2 : 0);
    const properties = Object.fromEntries(Object.values(entry.Properties).map(p => [p.Name, rows.add(propertyRow(p))]));
    const inherited = known(database.Classes[entry.Superclass ?? '']?.DefaultProperties ?? {});
    const defaults: Record<string, number | null> = {};
    const own = known(entry.DefaultProperties);
    for (const [name, value] of Object.entries(own))
      if (JSON.stringify(inherited[name]) !== JSON.stringify(value)) defaults[name] = values.add(value);
    for (const name of Object.keys(inherited)) if (!(name in own)) defaults[name] = null;
    classes[entry.Name] = [entry.Superclass ?? '', tags, properties, defaults];
  }
  const enums = Object.fromEntries(Object.entries(database.Enums).map(([name, { items }]) => [name, items]));
  return { version: database.Version.join('.'), rows: rows.items, values: values.items, classes, enums };
}

const [databasePath, outputPath] = process.argv.slice(2);
if (databasePath === undefined) {
  console.error('usage: node scripts/generate-reflection.ts PATH/TO/database.json [OUTPUT]');
  process.exit(1);
}
const output =
  outputPath ?? fileURLToPath(new URL('../src/roblox/instances/reflection.generated.json', import.meta.url));
const reflection = reduce(Database.parse(JSON.parse(readFileSync(databasePath, 'utf8'))));
// One line per class or enum: updates have readable diffs, and `openReflectionData` parses only the requested ones.
const { classes, enums, ...pools } = reflection;
const lines = (record: object): string =>
  `{\n${Object.entries(record)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`;
writeFileSync(
  output,
  `${JSON.stringify(pools).slice(0, -1)},\n"classes":${lines(classes)},\n"enums":${lines(enums)}}\n`,
);
console.log(`${output}: Roblox ${reflection.version}, ${Object.keys(classes).length} classes`);
