import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningVsCode } from './start-vscode.ts';

/** Changes settings by editing the settings file. */
export function changeSettings(vscode: RunningVsCode, changed: Readonly<Record<string, unknown>>): void {
  // Machine-scoped settings are read from the first file on a server, and from the second on a desktop.
  for (const place of ['Machine', 'User']) {
    const file = join(vscode.logs, '..', place, 'settings.json');
    if (!existsSync(file)) continue;
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, ...changed }));
  }
}
