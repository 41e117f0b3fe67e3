/** A field of a project file: who has it. What it does is in the schema (`scripts/schemas/project.ts`), which editors show. */
export interface ProjectField {
  readonly of: 'Rojo and Atlas' | 'Rojo' | 'Atlas';
  /** What the warning expects instead, for a field that is not obeyed everywhere. The warning appears where the field is set. */
  readonly warning?: string;
}

const both = 'Rojo and Atlas';

/** Every field of a project file in both dialects. */
export const projectFields = {
  $schema: { of: both },
  name: { of: both },
  tree: { of: both },
  servePort: { of: both },
  serveAddress: {
    of: both,
    warning: 'a "serveAddress" of this computer: Atlas Bridge listens on 127.0.0.1 only',
  },
  serveAllowedHosts: {
    of: 'Rojo',
    warning: 'no "serveAllowedHosts": only this computer may connect to Atlas Bridge',
  },
  servePlaceIds: { of: both },
  blockedPlaceIds: { of: both },
  placeId: {
    of: both,
    warning: 'no "placeId": the plugin of Atlas Bridge does not set game.PlaceId',
  },
  gameId: {
    of: both,
    warning: 'no "gameId": the plugin of Atlas Bridge does not set game.GameId',
  },
  emitLegacyScripts: {
    of: 'Rojo',
  },
  globIgnorePaths: { of: both },
  syncRules: { of: both },
  syncbackRules: { of: both },
  syncScriptsOnly: { of: 'Atlas' },
  ignoreHiddenServices: { of: 'Atlas' },
  fileLogLevel: {
    of: 'Atlas',
    warning: 'no "fileLogLevel": Atlas Bridge writes no log file, and ATLAS_BRIDGE_LOG sets the level of its log',
  },
} as const satisfies Readonly<Record<string, ProjectField>>;

/** Every field of `syncbackRules` in both dialects. */
export const syncbackFields = {
  ignoreTrees: { of: both },
  ignorePaths: { of: both },
  createIgnoreDirPaths: { of: both },
  ignoreProperties: { of: both },
  syncCurrentCamera: { of: both },
  syncUnscriptable: { of: both },
  ignoreReferents: { of: both },
  ignoreClasses: { of: 'Atlas' },
  ignoreHiddenServices: { of: 'Atlas' },
  warnDuplicateNames: {
    of: 'Atlas',
  },
} as const satisfies Readonly<Record<string, ProjectField>>;

/** The names of a table of fields. */
export const fieldNames = <F extends object>(fields: F): readonly (keyof F & string)[] =>
  // The keys of an object literal are the keys of its type.
  Object.keys(fields) as (keyof F & string)[];
