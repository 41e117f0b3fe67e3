/** A field of a project file: who has it, and what it does here. */
export interface ProjectField {
  readonly of: 'Rojo and Atlas' | 'Rojo' | 'Atlas';
  /** One phrase for the schema and the documentation. */
  readonly effect: string;
  /** What the warning expects instead, for a field that is not obeyed everywhere. The warning appears where the field is set. */
  readonly warning?: string;
}

const both = 'Rojo and Atlas';

/** Every field of a project file in both dialects. */
export const projectFields = {
  $schema: { of: both, effect: 'The schema for editors.' },
  name: { of: both, effect: 'The name of the instance at the top.' },
  tree: { of: both, effect: 'The instances of the project.' },
  servePort: { of: both, effect: 'The port of `atlas-bridge serve`; in VS Code the setting `atlas.port` decides.' },
  serveAddress: {
    of: both,
    effect: 'The address to listen on. Only this computer may connect, so addresses of a network are not used.',
    warning: 'a "serveAddress" of this computer: Atlas Bridge listens on 127.0.0.1 only',
  },
  serveAllowedHosts: {
    of: 'Rojo',
    effect: 'Other hosts that may connect. Only this computer may connect, so it is not used.',
    warning: 'no "serveAllowedHosts": only this computer may connect to Atlas Bridge',
  },
  servePlaceIds: { of: both, effect: 'The only places that may be synced; without it, any.' },
  blockedPlaceIds: { of: both, effect: 'Places that are never synced.' },
  placeId: {
    of: both,
    effect: 'Value of game.PlaceId, which the plugins of Rojo and Atlas set; the plugin of Atlas Bridge does not.',
    warning: 'no "placeId": the plugin of Atlas Bridge does not set game.PlaceId',
  },
  gameId: {
    of: both,
    effect: 'Value of game.GameId, which the plugins of Rojo and Atlas set; the plugin of Atlas Bridge does not.',
    warning: 'no "gameId": the plugin of Atlas Bridge does not set game.GameId',
  },
  emitLegacyScripts: {
    of: 'Rojo',
    effect: 'Whether .server and .client scripts are Script and LocalScript, or Script with a RunContext.',
  },
  globIgnorePaths: { of: both, effect: 'Files and folders that are not part of the project.' },
  syncRules: { of: both, effect: 'Which files become which instances.' },
  syncbackRules: { of: both, effect: 'What a syncback or a pull leaves alone; see below.' },
  syncScriptsOnly: { of: 'Atlas', effect: 'Whether only scripts become instances.' },
  ignoreHiddenServices: { of: 'Atlas', effect: 'Whether a syncback leaves out services that Studio hides.' },
  fileLogLevel: {
    of: 'Atlas',
    effect: 'The level of the log file. There is none; ATLAS_BRIDGE_LOG sets the level of the log.',
    warning: 'no "fileLogLevel": Atlas Bridge writes no log file, and ATLAS_BRIDGE_LOG sets the level of its log',
  },
} as const satisfies Readonly<Record<string, ProjectField>>;

/** Every field of `syncbackRules` in both dialects. */
export const syncbackFields = {
  ignoreTrees: { of: both, effect: 'Instances that are left alone, by their path of names.' },
  ignorePaths: { of: both, effect: 'Files that are neither written nor removed.' },
  createIgnoreDirPaths: { of: both, effect: 'Whether `a/**` in `ignorePaths` includes the folder `a`.' },
  ignoreProperties: { of: both, effect: 'Properties that are not written, by class.' },
  syncCurrentCamera: { of: both, effect: 'Whether the camera of the workspace is written.' },
  syncUnscriptable: { of: both, effect: 'Whether properties that scripts cannot read are written.' },
  ignoreReferents: { of: both, effect: 'Whether references between instances are left out.' },
  ignoreClasses: { of: 'Atlas', effect: 'Instances that are left alone, by class.' },
  ignoreHiddenServices: { of: 'Atlas', effect: 'Whether services that Studio hides are left out.' },
  warnDuplicateNames: {
    of: 'Atlas',
    effect: 'Whether instances with the same name are reported. Atlas Bridge always reports them.',
  },
} as const satisfies Readonly<Record<string, ProjectField>>;

/** The names of a table of fields. */
export const fieldNames = <F extends object>(fields: F): readonly (keyof F & string)[] =>
  // The keys of an object literal are the keys of its type.
  Object.keys(fields) as (keyof F & string)[];
