import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SettingDefinition, settingDefinitions } from '../../../src/ports/settings.ts';
import type { RunningVsCode } from './start-vscode.ts';
import { until } from './until.ts';

/** Settings that only the user settings decide, whose file code-server does not watch. */
const ofUser = Object.values<SettingDefinition>(settingDefinitions).flatMap(({ key, scope }) =>
  scope === 'application' ? [`atlas.${key}`] : [],
);

/** The time after which the file is written again. */
const WRITE_AGAIN_MS = 5_000;

/**
 * Changes settings by editing the settings file. Resolves when VS Code has the values. Settings of the scope `application` are changed in the
 * Settings editor instead.
 */
export async function changeSettings(vscode: RunningVsCode, changed: Readonly<Record<string, unknown>>): Promise<void> {
  const without = ofUser.filter(key => Object.hasOwn(changed, key));
  assert.deepEqual(without, [], 'a change of the file has no effect');
  let writtenAt = Number.NEGATIVE_INFINITY;
  await until(`the settings ${JSON.stringify(changed)}`, 20_000, async () => {
    // VS Code once missed a change of the file. Extensions do not notice the same values again.
    if (performance.now() - writtenAt > WRITE_AGAIN_MS) {
      write(vscode, changed);
      writtenAt = performance.now();
    }
    const values = await vscode.driver.call('settings', { keys: Object.keys(changed) });
    assert.deepEqual(values, changed);
    return true as const;
  });
}

function write(vscode: RunningVsCode, changed: Readonly<Record<string, unknown>>): void {
  // Machine-scoped settings are read from the first file on a server, and from the second on a desktop.
  for (const place of ['Machine', 'User']) {
    const file = join(vscode.logs, '..', place, 'settings.json');
    if (!existsSync(file)) continue;
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, ...changed }));
  }
}
