import { err, ok, type Result } from '../base/result.ts';
import { HTTP_LIMITS } from '../protocol/limits.ts';
import { settingDefinitions } from '../ports/settings.ts';
import type { StudioDialect } from '../protocol/studio/messages.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { readDialect } from './project-args.ts';
import { parseOptions } from './run-command.ts';
import { readSettingArgs, settingOptions, type SettingValues } from './setting-args.ts';

export type CliCommand =
  | { readonly kind: 'help'; readonly command?: 'serve' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'serve';
      readonly folder: string;
      /** `undefined`: as the setting says. */
      readonly port: number | undefined;
      /** The Studio plugin on `port`. */
      readonly plugin: StudioDialect;
      /** Whether `--dialect` chose the plugin because `--plugin` is missing. */
      readonly isOldSpelling: boolean;
      /** Whether a second port serves the Rojo plugin, as the setting says; only without `--port` and a chosen plugin. */
      readonly hasRojoPort: boolean;
      /** Dialect of the project; `undefined`: as the project file says. */
      readonly dialect: Dialect | undefined;
      readonly settings: SettingValues;
      readonly json: boolean;
    }
  /** Commands that read their own arguments. */
  | {
      readonly kind: 'build' | 'headless' | 'mcp' | 'pluto' | 'restore' | 'sourcemap' | 'sync' | 'syncback';
      readonly args: readonly string[];
    };

/** Reads the arguments after the program name. */
export function readArgs(args: readonly string[]): Result<CliCommand, string> {
  const [first, ...rest] = args;
  switch (first) {
    case undefined:
      return err('a command is required');
    case '-h':
    case '--help':
      return ok({ kind: 'help' });
    case 'help':
      return rest[0] === undefined ? ok({ kind: 'help' }) : readArgs([rest[0], '--help']);
    case '-v':
    case '--version':
      return ok({ kind: 'version' });
    case 'serve':
      return readServe(rest);
    case 'build':
    case 'headless':
    case 'mcp':
    case 'pluto':
    case 'restore':
    case 'sourcemap':
    case 'sync':
    case 'syncback':
      return ok({ kind: first, args: rest });
    default:
      return err(`unknown ${first.startsWith('-') ? 'option' : 'command'} '${first}'`);
  }
}

const unpairedAllowed = [settingDefinitions.studioUnpaired.key, 'allow'] as const;

function readServe(args: readonly string[]): Result<CliCommand, string> {
  const parsed = parseOptions(args, {
    port: { type: 'string' },
    plugin: { type: 'string' },
    dialect: { type: 'string' },
    'allow-unpaired': { type: 'boolean' },
    json: { type: 'boolean' },
    ...settingOptions,
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok({ kind: 'help', command: 'serve' });
  const [folder, unexpected] = positionals;
  if (folder === undefined) return err('serve requires a project folder');
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  const dialect = readDialect(values.dialect);
  if (!dialect.ok) return dialect;
  // Until 0.2, `--dialect` alone also chooses the plugin, as it did when it had no other meaning.
  const plugin = values.plugin ?? dialect.value ?? 'atlas';
  if (plugin !== 'atlas' && plugin !== 'rojo') return err(`unknown plugin '${plugin}' (atlas or rojo)`);
  const settings = readSettingArgs(values.set);
  if (!settings.ok) return settings;
  const given = values.port ?? (plugin === 'rojo' ? String(HTTP_LIMITS.rojoPort) : undefined);
  if (given !== undefined && (!/^\d{1,5}$/.test(given) || Number(given) > 65_535))
    return err(`invalid port '${given}' (0–65535)`);
  return ok({
    kind: 'serve',
    folder,
    port: given === undefined ? undefined : Number(given),
    plugin,
    isOldSpelling: values.plugin === undefined && values.dialect !== undefined,
    hasRojoPort: values.port === undefined && values.plugin === undefined && values.dialect === undefined,
    dialect: dialect.value,
    settings: values['allow-unpaired'] === true ? new Map([...settings.value, unpairedAllowed]) : settings.value,
    json: values.json === true,
  });
}
