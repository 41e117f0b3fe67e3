import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SettingDefinition, settingDefinitions } from '../../../src/ports/settings.ts';
import type { RunningVsCode } from './start-vscode.ts';

/** Settings that only the user settings decide, whose file code-server does not watch. */
const ofUser = Object.values<SettingDefinition>(settingDefinitions).flatMap(({ key, scope }) =>
  scope === 'application' ? [`atlas.${key}`] : [],
);

/** Changes settings by editing the settings file. Settings of the scope `application` are changed in the Settings editor instead. */
export function changeSettings(vscode: RunningVsCode, changed: Readonly<Record<string, unknown>>): void {
  const without = ofUser.filter(key => Object.hasOwn(changed, key));
  assert.deepEqual(without, [], 'a change of the file has no effect');
  // Machine-scoped settings are read from the first file on a server, and from the second on a desktop.
  for (const place of ['Machine', 'User']) {
    const file = join(vscode.logs, '..', place, 'settings.json');
    if (!existsSync(file)) continue;
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, ...changed }));
  }
}
