import type { Dialect } from '../project-file/project-file.ts';

/** How a file becomes an instance: the name of a middleware in `middlewares.ts`. */
export type FileKind =
  | 'serverScript'
  | 'clientScript'
  | 'pluginScript'
  | 'legacyScript'
  | 'localScript'
  | 'moduleScript'
  | 'runContextServerScript'
  | 'runContextClientScript'
  | 'project'
  | 'jsonModel'
  | 'json'
  | 'toml'
  | 'yaml'
  | 'csv'
  | 'rbxm'
  | 'rbxmx'
  | 'text';

export interface FileRule {
  readonly kind: FileKind;
  /** The name of the instance. */
  readonly name: string;
}

interface Row {
  readonly suffix: string;
  readonly kind: FileKind;
  /** The name is the file without its last extension, so a file that is nothing but the suffix keeps it. */
  readonly keepsDot?: true;
  readonly except?: string;
}

const module = (suffix: string): Row => ({ suffix, kind: 'moduleScript', keepsDot: true });
const json = (ending: string): readonly Row[] => [
  { suffix: `.project.${ending}`, kind: 'project' },
  { suffix: `.model.${ending}`, kind: 'jsonModel' },
  { suffix: `.${ending}`, kind: 'json', except: `.meta.${ending}` },
];
/** The same in both dialects, and last. */
const others: readonly Row[] = [
  { suffix: '.toml', kind: 'toml', keepsDot: true },
  { suffix: '.csv', kind: 'csv', keepsDot: true },
  { suffix: '.txt', kind: 'text', keepsDot: true },
  { suffix: '.rbxmx', kind: 'rbxmx', keepsDot: true },
  { suffix: '.rbxm', kind: 'rbxm', keepsDot: true },
  { suffix: '.yml', kind: 'yaml', keepsDot: true },
  { suffix: '.yaml', kind: 'yaml', keepsDot: true },
];

/** `reference/project-format.md`, section 2.2; first match wins. */
const rows: { readonly [D in Dialect]: readonly Row[] } = {
  rojo: [
    ...['.lua', '.luau'].flatMap((ending): readonly Row[] => [
      { suffix: `.server${ending}`, kind: 'serverScript' },
      { suffix: `.client${ending}`, kind: 'clientScript' },
      { suffix: `.plugin${ending}`, kind: 'pluginScript' },
      module(ending),
    ]),
    ...json('json'),
    ...json('jsonc'),
    ...others,
  ],
  atlas: [
    { suffix: '.server.luau', kind: 'serverScript' },
    { suffix: '.client.luau', kind: 'clientScript' },
    { suffix: '.plugin.luau', kind: 'pluginScript' },
    { suffix: '.legacy.luau', kind: 'legacyScript' },
    { suffix: '.local.luau', kind: 'localScript' },
    module('.luau'),
    ...json('json5'),
    { suffix: '.server.lua', kind: 'legacyScript' },
    { suffix: '.client.lua', kind: 'localScript' },
    { suffix: '.plugin.lua', kind: 'pluginScript' },
    module('.lua'),
    ...json('json'),
    ...others,
  ],
};

/** What the name of a file says of it; `undefined`: no instance comes of such a file. */
export function ruleFor(fileName: string, dialect: Dialect): FileRule | undefined {
  if (initFiles(dialect).some(init => init.name === fileName)) return undefined;
  const row = rows[dialect].find(
    candidate => fileName.endsWith(candidate.suffix) && !(candidate.except && fileName.endsWith(candidate.except)),
  );
  if (row === undefined) return undefined;
  const stem = fileName.slice(0, -row.suffix.length);
  return { kind: row.kind, name: plainName(stem === '' && row.keepsDot ? fileName : stem, dialect) };
}

/** A file that makes a script, or a table of texts, of the folder that it is in. */
export interface InitFile {
  readonly name: string;
  readonly kind: Extract<FileKind, `${string}Script` | 'csv'>;
}

/** Init files, first found first: section 2.1. */
export const initFiles = (dialect: Dialect): readonly InitFile[] => inits[dialect];

const inits: { readonly [D in Dialect]: readonly InitFile[] } = {
  rojo: [
    { name: 'init.luau', kind: 'moduleScript' },
    { name: 'init.lua', kind: 'moduleScript' },
    { name: 'init.server.luau', kind: 'serverScript' },
    { name: 'init.server.lua', kind: 'serverScript' },
    { name: 'init.client.luau', kind: 'clientScript' },
    { name: 'init.client.lua', kind: 'clientScript' },
    { name: 'init.plugin.lua', kind: 'pluginScript' },
    { name: 'init.plugin.luau', kind: 'pluginScript' },
    { name: 'init.csv', kind: 'csv' },
  ],
  atlas: [
    { name: 'init.luau', kind: 'moduleScript' },
    { name: 'init.server.luau', kind: 'serverScript' },
    { name: 'init.client.luau', kind: 'clientScript' },
    { name: 'init.plugin.luau', kind: 'pluginScript' },
    { name: 'init.local.luau', kind: 'localScript' },
    { name: 'init.legacy.luau', kind: 'legacyScript' },
    { name: 'init.csv', kind: 'csv' },
    { name: 'init.lua', kind: 'moduleScript' },
    { name: 'init.server.lua', kind: 'legacyScript' },
    { name: 'init.client.lua', kind: 'localScript' },
  ],
};

/** The name without the `~2` that tells files of one name apart in the Atlas dialect: section 2.13. */
export function plainName(name: string, dialect: Dialect): string {
  const match = dialect === 'atlas' ? /^(.*)~\+?0*([1-9][0-9]{0,9})$/s.exec(name) : null;
  return match?.[1] !== undefined && Number(match[2]) < 2 ** 32 ? match[1] : name;
}

/** Meta files of a file, first found first; in the Rojo dialect all that exist apply. Section 2.12. */
export function metaNames(fileName: string, instanceName: string, dialect: Dialect): readonly string[] {
  if (dialect === 'rojo') return [`${instanceName}.meta.json`, `${instanceName}.meta.jsonc`];
  const stem = fileName.replace(/\.[^.]*$/, '').replace(/\.(?:server|client|plugin|local|legacy)$/, '');
  return [`${stem}.meta.json5`, `${stem}.meta.json`];
}

export const initMetaNames = (dialect: Dialect): readonly string[] =>
  dialect === 'rojo' ? ['init.meta.json', 'init.meta.jsonc'] : ['init.meta.json5', 'init.meta.json'];
