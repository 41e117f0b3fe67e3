/** A field of a project file. What it does is in the schema (`scripts/schemas/project.ts`), which editors show. */
export interface ProjectField {
  /** The expected alternative in the warning, for a field that is not used. The warning appears where the field is set. */
  readonly warning?: string;
}

/** Every field of a project file in both dialects. */
export const projectFields = {
  $schema: {},
  name: {},
  tree: {},
  servePort: {},
  serveAddress: {
    warning: 'a loopback "serveAddress"',
  },
  serveAllowedHosts: {
    warning: 'no "serveAllowedHosts": only this computer may connect',
  },
  servePlaceIds: {},
  blockedPlaceIds: {},
  placeId: {},
  gameId: {},
  emitLegacyScripts: {},
  globIgnorePaths: {},
  syncRules: {},
  syncbackRules: {},
  syncScriptsOnly: {},
  ignoreHiddenServices: {},
  fileLogLevel: {
    warning: 'no "fileLogLevel": there is no log file; set ATLAS_BRIDGE_LOG',
  },
} as const satisfies Readonly<Record<string, ProjectField>>;

/** Every field of `syncbackRules` in both dialects. */
export const syncbackFields = {
  ignoreTrees: {},
  ignorePaths: {},
  createIgnoreDirPaths: {},
  ignoreProperties: {},
  syncCurrentCamera: {},
  syncUnscriptable: {},
  ignoreReferents: {},
  ignoreClasses: {},
  ignoreHiddenServices: {},
  warnDuplicateNames: {},
} as const satisfies Readonly<Record<string, ProjectField>>;

/** The names of a table of fields. */
export const fieldNames = <F extends object>(fields: F): readonly (keyof F & string)[] =>
  // The keys of an object literal are the keys of its type.
  Object.keys(fields) as (keyof F & string)[];
