import {
  anyOf,
  flag,
  head,
  list,
  mapOf,
  named,
  object,
  oneOfNames,
  type Schema,
  text,
  valueRef,
} from './json-schema.ts';

import { type ProjectField, projectFields, syncbackFields } from '../../src/project/project-file/project-fields.ts';

const port = { type: 'integer', minimum: 0, maximum: 65_535 };
const id = { type: 'integer', minimum: 0 };
const globs = list(text);
/** Values of `use` in `syncRules`. */
const uses = (
  'csv jsonModel json toml yaml text project rbxm rbxmx ignore serverScript clientScript moduleScript pluginScript legacyScript ' +
  'localScript legacyServerScript legacyClientScript runContextServerScript runContextClientScript'
).split(' ');

/** The schema of each field with its effect, from the table that the reader uses. */
const described = (fields: Readonly<Record<string, ProjectField>>, schemas: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { effect }]) => {
      const schema = schemas[name];
      if (schema === undefined) throw new Error(`the field ${name} lacks a schema`);
      return [name, named(schema, effect)];
    }),
  );

const syncbackRules = object(
  described(syncbackFields, {
    ignoreTrees: list(text),
    ignorePaths: globs,
    createIgnoreDirPaths: flag,
    ignoreProperties: mapOf(list(text)),
    syncCurrentCamera: flag,
    syncUnscriptable: flag,
    ignoreReferents: flag,
    ignoreClasses: list(text),
    ignoreHiddenServices: flag,
    warnDuplicateNames: flag,
  }),
);

const node: Schema = named(
  {
    type: 'object',
    properties: {
      $className: valueRef('className'),
      $path: named(
        anyOf(text, object({ optional: text }, ['optional'])),
        'The file or folder that the instance comes from, from the folder of this file.',
      ),
      $properties: valueRef('properties'),
      $attributes: valueRef('attributes'),
      $ignoreUnknownInstances: named(flag, 'Whether what only Studio has is left alone below this instance.'),
      $id: named(text, 'What Rojo_Target_… attributes of other instances name.'),
    },
    patternProperties: { '^(?!\\$)': { $ref: '#/definitions/node' } },
    additionalProperties: false,
  },
  'An instance; every name without "$" in front is a child.',
);

/** `*.project.json`. */
export const projectSchema: Schema = {
  ...head('Rojo or Atlas project'),
  ...object(
    described(projectFields, {
      $schema: text,
      name: text,
      tree: { $ref: '#/definitions/node' },
      servePort: port,
      serveAddress: text,
      serveAllowedHosts: list(text),
      servePlaceIds: list(id),
      blockedPlaceIds: list(id),
      placeId: id,
      gameId: id,
      emitLegacyScripts: flag,
      globIgnorePaths: globs,
      syncRules: list(
        object({ pattern: text, exclude: text, use: oneOfNames(uses), suffix: text }, ['pattern', 'use']),
      ),
      syncbackRules,
      syncScriptsOnly: flag,
      ignoreHiddenServices: flag,
      fileLogLevel: oneOfNames(['trace', 'debug', 'info', 'warn', 'error', 'none']),
    }),
    ['tree'],
  ),
  definitions: { node },
};
