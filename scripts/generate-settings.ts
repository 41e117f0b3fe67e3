/** Writes the settings of `package.json` from `src/ports/settings.ts`. Run it after you change that table. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SettingDefinition, settingDefinitions } from '../src/ports/settings.ts';

const manifest = resolve(fileURLToPath(import.meta.url), '../../package.json');

/** The content of `contributes.configuration.properties`. */
export const settingProperties = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.values<SettingDefinition>(settingDefinitions)
      .toSorted((a, b) => a.order - b.order)
      .map(definition => [`atlas.${definition.key}`, property(definition)]),
  );

function property(definition: SettingDefinition): object {
  const { key, type, isNullable, values, minimum, maximum, items, scope, order } = definition;
  return {
    type: isNullable === true ? [type, 'null'] : type,
    ...(values === undefined
      ? {}
      : { enum: values, enumDescriptions: values.map(value => `%setting.${key}.${value}%`) }),
    ...(items === undefined ? {} : { items }),
    default: definition.default,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    scope,
    order,
    markdownDescription: `%setting.${key}%`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const content = JSON.parse(readFileSync(manifest, 'utf8')) as {
    contributes: { configuration: { properties: object } };
  };
  content.contributes.configuration.properties = settingProperties();
  writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`);
  console.log('wrote the settings of package.json');
}
