import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningVsCode } from './start-vscode.ts';

/** Changes settings as a person does in the file; VS Code notices. */
export function changeSettings(vscode: RunningVsCode, changed: Readonly<Record<string, unknown>>): void {
  // Settings of machine scope count in the first place where VS Code is a server, in the second on a desktop.
  for (const place of ['Machine', 'User']) {
    const file = join(vscode.logs, '..', place, 'settings.json');
    if (!existsSync(file)) continue;
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, ...changed }));
  }
}
