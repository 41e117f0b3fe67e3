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

import { standardFileKinds } from '../../src/project/file-kinds/standard-file-kinds.ts';
import { type ProjectField, projectFields, syncbackFields } from '../../src/project/project-file/project-fields.ts';

const port = { type: 'integer', minimum: 0, maximum: 65_535 };
const id = { type: 'integer', minimum: 0 };
const globs = list(text);
/** Values of `use` in `syncRules`. */
const uses = [...standardFileKinds.syncRuleNames, 'ignore'].toSorted();

/** Fields that only one dialect has, with its name. */
export const fieldOwners: Readonly<Record<string, string>> = {
  emitLegacyScripts: 'Rojo',
  fileLogLevel: 'Atlas',
  ignoreHiddenServices: 'Atlas',
  serveAllowedHosts: 'Rojo',
  syncScriptsOnly: 'Atlas',
  ignoreClasses: 'Atlas',
  warnDuplicateNames: 'Atlas',
};

/** The effect of each field of a project, for the schema and the documentation. */
export const projectEffects: Readonly<Record<string, string>> = {
  $schema: 'The schema for editors.',
  name: 'The name of the instance at the top.',
  tree: 'The instances of the project.',
  servePort: 'The port of `atlas-bridge serve`; in VS Code the setting `atlas.port` decides.',
  serveAddress: 'The address to listen on. Only this computer may connect, so addresses of a network are not used.',
  serveAllowedHosts: 'Other hosts that may connect. Only this computer may connect, so it is not used.',
  servePlaceIds: 'The only places that may be synced; without it, any.',
  blockedPlaceIds: 'Places that are never synced.',
  placeId:
    'Value of game.PlaceId, which the Studio plugin sets when it compares an allowed place, and which tests of the game see.',
  gameId: 'Value of game.GameId, set like placeId.',
  emitLegacyScripts: 'Whether .server and .client scripts are Script and LocalScript, or Script with a RunContext.',
  globIgnorePaths: 'Files and folders that are not part of the project.',
  syncRules: 'Which files become which instances.',
  syncbackRules: 'What a syncback or a pull does not change; see below.',
  syncScriptsOnly: 'Whether only scripts become instances.',
  ignoreHiddenServices: 'Whether a syncback skips services that Studio hides.',
  fileLogLevel: 'Not used, because there is no log file: ATLAS_BRIDGE_LOG sets the level of the log.',
};

/** The same for `syncbackRules`. */
export const syncbackEffects: Readonly<Record<string, string>> = {
  ignoreTrees: 'Instances that are not changed, by their path of names.',
  ignorePaths: 'Files that are neither written nor removed.',
  createIgnoreDirPaths: 'Whether `a/**` in `ignorePaths` includes the folder `a`.',
  ignoreProperties: 'Properties that are not written, by class.',
  syncCurrentCamera: 'Whether the camera of the workspace is written.',
  syncUnscriptable: 'Whether properties that scripts cannot read are written.',
  ignoreReferents: 'Whether references between instances are skipped.',
  ignoreClasses: 'Instances that are not changed, by class.',
  ignoreHiddenServices: 'Whether services that Studio hides are skipped.',
  warnDuplicateNames: 'Whether instances with the same name are reported. Atlas Bridge always reports them.',
};

/** The schema of each field of the table that the reader uses, with its effect. */
const described = (
  fields: Readonly<Record<string, ProjectField>>,
  effects: Readonly<Record<string, string>>,
  schemas: Readonly<Record<string, Schema>>,
) =>
  Object.fromEntries(
    Object.keys(fields).map(name => {
      const schema = schemas[name];
      const effect = effects[name];
      if (schema === undefined || effect === undefined) throw new Error(`the field ${name} has no schema or no effect`);
      return [name, named(schema, effect)];
    }),
  );

const syncbackRules = object(
  described(syncbackFields, syncbackEffects, {
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
        'The file or folder of the instance, relative to the folder of this file.',
      ),
      $properties: valueRef('properties'),
      $attributes: valueRef('attributes'),
      $ignoreUnknownInstances: named(
        flag,
        'Whether a sync ignores instances below this one that exist only in Studio.',
      ),
      $id: named(text, 'The id by which Rojo_Target_… attributes of other instances refer to this one.'),
    },
    patternProperties: { '^(?!\\$)': { $ref: '#/definitions/node' } },
    additionalProperties: false,
  },
  'An instance; every member whose name does not start with "$" is a child.',
);

/** `*.project.json`. */
export const projectSchema: Schema = {
  ...head('Rojo or Atlas project'),
  ...object(
    described(projectFields, projectEffects, {
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
