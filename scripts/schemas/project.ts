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

const port = { type: 'integer', minimum: 0, maximum: 65_535 };
const id = { type: 'integer', minimum: 0 };
const globs = list(text);
/** Values of `use` in `syncRules`. */
const uses = (
  'csv jsonModel json toml yaml text project rbxm rbxmx ignore serverScript clientScript moduleScript pluginScript legacyScript ' +
  'localScript legacyServerScript legacyClientScript runContextServerScript runContextClientScript'
).split(' ');

const syncbackRules = object({
  ignoreTrees: named(list(text), 'Instances that are left alone, by their path of names.'),
  ignorePaths: named(globs, 'Files that are neither written nor removed.'),
  createIgnoreDirPaths: flag,
  ignoreProperties: named(mapOf(list(text)), 'Properties that are not written, by class.'),
  syncCurrentCamera: flag,
  syncUnscriptable: flag,
  ignoreReferents: flag,
  ignoreClasses: list(text),
  ignoreHiddenServices: flag,
  warnDuplicateNames: flag,
});

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
    {
      $schema: text,
      name: named(text, 'The name of the instance at the top.'),
      tree: { $ref: '#/definitions/node' },
      servePort: port,
      serveAddress: text,
      serveAllowedHosts: list(text),
      servePlaceIds: named(list(id), 'The only places that may be synced; without it, any.'),
      blockedPlaceIds: named(list(id), 'Places that are never synced.'),
      placeId: id,
      gameId: id,
      emitLegacyScripts: named(flag, 'Rojo: whether .server and .client scripts are Script and LocalScript.'),
      globIgnorePaths: named(globs, 'Files and folders that are not part of the project.'),
      syncRules: list(
        object({ pattern: text, exclude: text, use: oneOfNames(uses), suffix: text }, ['pattern', 'use']),
      ),
      syncbackRules,
      syncScriptsOnly: named(flag, 'Atlas: whether scripts alone become instances.'),
      ignoreHiddenServices: flag,
      fileLogLevel: oneOfNames(['trace', 'debug', 'info', 'warn', 'error', 'none']),
    },
    ['tree'],
  ),
  definitions: { node },
};
