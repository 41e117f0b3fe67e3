import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryOf } from '../adapters/fs/project-reach.ts';
import { ifFound } from '../base/errno.ts';
import type { Logger } from '../ports/logger.ts';
import { type AllSettings, type SettingDefinition, settingsFrom } from '../ports/settings.ts';
import { jsonValue, parseJsonDocument } from '../roblox/formats/json5-document.ts';
import type { SettingValues } from './setting-args.ts';

type SettingsFile = Readonly<Record<string, unknown>>;

/**
 * The settings of a bridge without VS Code: the values of `--set`, else those of the workspace's `.vscode/settings.json`, else the defaults.
 * As in VS Code, the file cannot set the folders and programs of this machine, nor who may connect to it.
 *
 * @param folder absolute folder of the project
 */
export async function readCommandSettings(folder: string, given: SettingValues, log: Logger): Promise<AllSettings> {
  const file = await readSettingsFile(folder, log);
  return settingsFrom(definition =>
    given.has(definition.key) ? given.get(definition.key) : fileValue(file, definition),
  );
}

function fileValue(file: SettingsFile, { key, oldKey, scope }: SettingDefinition): unknown {
  if (scope === 'machine' || scope === 'application') return undefined;
  const name = oldKey !== undefined && !Object.hasOwn(file, `atlas.${key}`) ? oldKey : key;
  return file[`atlas.${name}`];
}

/** Reads the nearest settings file, from the folder up to its git repository. A file that cannot be read has no values. */
async function readSettingsFile(folder: string, log: Logger): Promise<SettingsFile> {
  const last = (await repositoryOf(folder)) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.vscode', 'settings.json');
    const text = await ifFound(readFile(path, 'utf8')).catch((error: unknown) => {
      log.warn('could not read the settings of the workspace', { path, reason: String(error) });
      return undefined;
    });
    if (text !== undefined) return valuesOf(text, path, log);
    if (at === last || at === dirname(at)) return {};
  }
}

function valuesOf(text: string, path: string, log: Logger): SettingsFile {
  const parsed = parseJsonDocument(text);
  const value: unknown = parsed.ok ? jsonValue(parsed.value.root) : undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  const { line, column, expected } = parsed.ok ? { line: 1, column: 1, expected: 'an object' } : parsed.error;
  log.warn('the settings of the workspace have an error', { path, line, column, expected });
  return {};
}
