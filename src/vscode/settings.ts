import * as vscode from 'vscode';
import {
  type AllSettings,
  type SettingDefinition,
  settingDefinitions,
  settingsFrom,
  stricterValue,
} from '../ports/settings.ts';

export interface EditorSettings extends AllSettings {
  /** The value of the setting before `atlas.docs.roots`: environment variables for the roots; `null` removes one. */
  docsEnvironment(): Readonly<Record<string, string | null>>;
}

/** Reads the settings of `folder`; every call returns the current value. */
export function createSettings(folder: vscode.Uri | undefined): EditorSettings {
  return {
    ...settingsFrom(definition => read(definition, folder)),
    docsEnvironment() {
      const value = userValue(OLD_DOCS_KEY);
      if (typeof value !== 'object' || value === null) return {};
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
          typeof text === 'string' || text === null ? [[name, text]] : [],
        ),
      );
    },
  };
}

/** The predecessor of `docs.roots`. Its value has another form, so it is not an `oldKey` of the table. */
const OLD_DOCS_KEY = 'docs.environment';

/** Settings still set under their old name, each with the new name; both without `atlas.`. */
export function renamedSettingsInUse(folder: vscode.Uri | undefined): readonly { oldKey: string; key: string }[] {
  const renamed: readonly { oldKey: string; key: string }[] = [
    ...Object.values<SettingDefinition>(settingDefinitions).flatMap(({ oldKey, key }) =>
      oldKey === undefined ? [] : [{ oldKey, key }],
    ),
    { oldKey: OLD_DOCS_KEY, key: settingDefinitions.docsRoots.key },
  ];
  const configuration = vscode.workspace.getConfiguration('atlas', folder);
  return renamed.filter(({ oldKey }) => isSet(configuration, oldKey));
}

function read(definition: SettingDefinition, folder: vscode.Uri | undefined): unknown {
  const { key, oldKey, scope, strictest } = definition;
  // Security: a workspace must not set folders, URLs or programs of this machine, nor who may connect to it.
  if (strictest === undefined && (scope === 'machine' || scope === 'application')) return userValue(key);
  // VS Code merges all settings for each of these objects.
  const configuration = vscode.workspace.getConfiguration('atlas', folder);
  if (strictest !== undefined) {
    const found = configuration.inspect<unknown>(key);
    return stricterValue(definition, found?.globalValue, found?.workspaceFolderValue ?? found?.workspaceValue);
  }
  const name = oldKey !== undefined && !isSet(configuration, key) && isSet(configuration, oldKey) ? oldKey : key;
  return configuration.get<unknown>(name);
}

const userValue = (key: string): unknown =>
  vscode.workspace.getConfiguration('atlas').inspect<unknown>(key)?.globalValue;

function isSet(configuration: vscode.WorkspaceConfiguration, key: string): boolean {
  const found = configuration.inspect<unknown>(key);
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some(value => value !== undefined);
}
