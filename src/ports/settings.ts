import type { JournalLimits } from './journal-store.ts';

/** A VS Code setting. `package.json`, the defaults of the command line and `docs/settings.md` are generated from it. */
export interface SettingDefinition {
  /** The key without `atlas.`; the description in `package.nls.json` is `setting.<key>`. */
  readonly key: string;
  /** The key before a rename. Values under it are still read. */
  readonly oldKey?: string;
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array';
  readonly default: unknown;
  /**
   * `machine`: workspaces cannot set it, because it names folders, URLs or programs of the machine. `application`: only the user settings
   * can set it, because it protects the user from the workspace.
   */
  readonly scope: 'resource' | 'machine' | 'machine-overridable' | 'application';
  /** The position in the Settings editor. */
  readonly order: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The allowed values, each with a description `setting.<key>.<value>`. */
  readonly values?: readonly string[];
  /** Whether `null` disables it. */
  readonly isNullable?: boolean;
  /** The replacement for an invalid value; omitted: the default. */
  readonly whenInvalid?: unknown;
  /** The JSON schema of an item of an array. */
  readonly items?: object;
  /**
   * The strictest value: the first or last of `values`, `true`, or the largest number. A workspace can make such a setting stricter than the
   * user does, never weaker, because a repository contains the settings of its workspace.
   */
  readonly strictest?: 'first' | 'last' | 'true' | 'largest';
}

/** Settings by their names in code. */
export const settingDefinitions = {
  /** The port to listen on; 0 takes any free one. */
  port: {
    key: 'port',
    type: 'integer',
    default: 34_873,
    minimum: 0,
    maximum: 65_535,
    scope: 'machine-overridable',
    order: 1,
  },
  /** Minutes until an unanswered review ends with nothing applied. */
  reviewTimeoutMinutes: {
    key: 'review.timeoutMinutes',
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 1440,
    scope: 'resource',
    order: 2,
  },
  /** `auto`: verified overrides are used; `ask`: they are preselected and a person confirms; `never`: they are declined. */
  overridesApproval: {
    key: 'overrides.approval',
    type: 'string',
    values: ['auto', 'ask', 'never'],
    default: 'auto',
    // An invalid value suggests that the person wanted to restrict agents.
    whenInvalid: 'ask',
    strictest: 'last',
    scope: 'resource',
    order: 3,
  },
  /** Whether an override that replaces or removes something must carry a `studioHash` or `expectedProperties`. */
  overridesRequirePrecondition: {
    key: 'overrides.requirePrecondition',
    type: 'boolean',
    default: false,
    strictest: 'true',
    scope: 'resource',
    order: 4,
  },
  /** Multiplies the time limits of waiting for Studio and for writes to disk, for slow machines. */
  timeoutMultiplier: {
    key: 'timeoutMultiplier',
    oldKey: 'budgetScale',
    type: 'number',
    default: 1,
    minimum: 1,
    maximum: 4,
    scope: 'machine-overridable',
    order: 5,
  },
  /** Maximum size of the journal of runs in megabytes. */
  journalMaxMegabytes: {
    key: 'journal.maxMegabytes',
    type: 'integer',
    default: 500,
    minimum: 10,
    maximum: 100_000,
    strictest: 'largest',
    scope: 'resource',
    order: 6,
  },
  /** Days after which a recorded run may be deleted. */
  journalMaxDays: {
    key: 'journal.maxDays',
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 3650,
    strictest: 'largest',
    scope: 'resource',
    order: 7,
  },
  /** Maximum size of the base texts of scripts in megabytes, compressed. */
  baseMaxMegabytes: {
    key: 'base.maxMegabytes',
    type: 'integer',
    default: 200,
    minimum: 1,
    maximum: 100_000,
    scope: 'resource',
    order: 11,
  },
  /** `suggest`: a complete merge is suggested; `apply`: it is decided without asking; `off`: nothing is merged without a request. */
  mergeAuto: {
    key: 'merge.auto',
    type: 'string',
    values: ['suggest', 'apply', 'off'],
    default: 'suggest',
    scope: 'resource',
    order: 12,
  },
  /** Whether the Changes view compares automatically. */
  changesAutoCompare: {
    key: 'changes.autoCompare',
    oldKey: 'changes.autoRefresh',
    type: 'boolean',
    default: true,
    scope: 'resource',
    order: 8,
  },
  /** Whether files that differ from Studio have a badge in the Explorer. */
  explorerBadges: { key: 'explorer.badges', type: 'boolean', default: true, scope: 'resource', order: 9 },
  /** Whether saving a `.pt` updates its `.pluto`. */
  plutoSyncOnSave: { key: 'pluto.syncOnSave', type: 'boolean', default: true, scope: 'resource', order: 10 },
  /** Whether `sourcemap.json` is kept up to date. */
  sourcemapAutoWrite: { key: 'sourcemap.autoWrite', type: 'boolean', default: false, scope: 'resource', order: 20 },
  /** The port for Rojo's plugin; `null`: none. */
  rojoPort: {
    key: 'rojoPort',
    type: 'integer',
    isNullable: true,
    default: 34_872,
    minimum: 0,
    maximum: 65_535,
    scope: 'machine-overridable',
    order: 30,
  },
  /** The exact version of an unmodified Atlas plugin; empty: the default or last detected version. */
  atlasPluginVersion: {
    key: 'atlasPluginVersion',
    type: 'string',
    default: '',
    scope: 'machine-overridable',
    order: 31,
  },
  /** Whether the Atlas Bridge plugin syncs continuously. Other plugins have their own settings for that. */
  live: {
    key: 'live',
    type: 'string',
    values: ['off', 'diskToStudio', 'twoWay'],
    default: 'off',
    strictest: 'first',
    scope: 'resource',
    order: 32,
  },
  /** Whether a Studio that cannot prove a key may connect; `ask` asks a person, and is `block` without one. */
  studioUnpaired: {
    key: 'studio.unpaired',
    type: 'string',
    values: ['ask', 'allow', 'block'],
    default: 'ask',
    // An invalid value suggests that the person wanted to restrict Studios.
    whenInvalid: 'block',
    scope: 'application',
    order: 33,
  },
  /** The roots of the docs tools; empty: those of the environment variables, or the open folders. */
  docsRoots: {
    key: 'docs.roots',
    type: 'array',
    default: [],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', markdownDescription: '%setting.docs.roots.id%' },
        kind: {
          type: 'string',
          enum: ['docs', 'code', 'harness'],
          default: 'docs',
          markdownDescription: '%setting.docs.roots.kind%',
        },
        path: { type: 'string', markdownDescription: '%setting.docs.roots.path%' },
        gitUrl: { type: 'string', markdownDescription: '%setting.docs.roots.gitUrl%' },
        gitRef: { type: 'string', markdownDescription: '%setting.docs.roots.gitRef%' },
        subdir: { type: 'string', markdownDescription: '%setting.docs.roots.subdir%' },
        title: { type: 'string', markdownDescription: '%setting.docs.roots.title%' },
      },
    },
    scope: 'machine',
    order: 50,
  },
  /** The path to ripgrep; empty: VS Code's, or the first on the PATH. */
  ripgrepPath: { key: 'docs.ripgrepPath', type: 'string', default: '', scope: 'machine', order: 51 },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

type Definitions = typeof settingDefinitions;
export type SettingName = keyof Definitions;

type ValueOf<D extends SettingDefinition> = D extends { values: readonly (infer V)[] }
  ? V
  : D extends { type: 'boolean' }
    ? boolean
    : D extends { type: 'array' }
      ? readonly unknown[]
      : D extends { type: 'string' }
        ? string | undefined
        : D extends { isNullable: true }
          ? number | undefined
          : number;

/** A getter for each setting, which reads the current value; `undefined` for an empty text and for `null`. */
export type AllSettings = { readonly [N in SettingName]: () => ValueOf<Definitions[N]> };

/** The settings that also apply without an editor. */
export type Settings = Pick<
  AllSettings,
  | 'reviewTimeoutMinutes'
  | 'overridesApproval'
  | 'overridesRequirePrecondition'
  | 'timeoutMultiplier'
  | 'journalMaxMegabytes'
  | 'journalMaxDays'
  | 'baseMaxMegabytes'
  | 'mergeAuto'
  | 'atlasPluginVersion'
  | 'live'
  | 'studioUnpaired'
>;

export type LiveMode = ReturnType<Settings['live']>;

/** The limits of a journal that the settings choose. */
export const journalLimitsOf = (settings: Pick<Settings, 'journalMaxMegabytes' | 'journalMaxDays'>): JournalLimits => ({
  maxBytes: settings.journalMaxMegabytes() * 1024 * 1024,
  maxDays: settings.journalMaxDays(),
});

/** Creates validated getters for all settings. @param read returns the configured value of any type, or `undefined` */
export function settingsFrom(read: (definition: SettingDefinition) => unknown): AllSettings {
  const entries = Object.entries<SettingDefinition>(settingDefinitions).map(
    ([name, definition]) => [name, () => validValue(definition, read(definition))] as const,
  );
  return Object.fromEntries(entries) as AllSettings;
}

/**
 * The value that takes effect: the workspace's, unless that is weaker than the user's.
 *
 * @param user, workspace: the configured values of any type; `undefined` for none
 */
export function stricterValue(definition: SettingDefinition, user: unknown, workspace: unknown): unknown {
  const userValue = validValue(definition, user);
  if (workspace === undefined) return userValue;
  const workspaceValue = validValue(definition, workspace);
  return strictness(definition, workspaceValue) > strictness(definition, userValue) ? workspaceValue : userValue;
}

function strictness({ strictest, values = [] }: SettingDefinition, value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const index = values.findIndex(one => one === value);
  return strictest === 'first' ? -index : index;
}

/** Settings files are edited by hand, so an invalid value is replaced by the default. */
function validValue(definition: SettingDefinition, value: unknown): unknown {
  if (value === null && definition.isNullable === true) return undefined;
  const isUnset = value === undefined || value === null;
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (definition.type === 'string' && definition.values === undefined) return text === '' ? undefined : text;
  if (!isUnset && isValid(definition, value)) return value;
  return isUnset ? definition.default : (definition.whenInvalid ?? definition.default);
}

/** Whether the setting can have the value; `null` only if that disables it. */
export const isAllowedValue = (definition: SettingDefinition, value: unknown): boolean =>
  value === null ? definition.isNullable === true : isValid(definition, value);

function isValid(
  { type, values, minimum = -Infinity, maximum = Infinity }: SettingDefinition,
  value: unknown,
): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'string':
      return values?.some(allowed => allowed === value) ?? typeof value === 'string';
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        (type === 'number' || Number.isInteger(value)) &&
        value >= minimum &&
        value <= maximum
      );
  }
}
