import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { _electron as electron, type Page } from 'playwright-core';
import { ensureRelease } from '../../../scripts/vscode/pack-extension.ts';
import { buildDriver } from '../../../scripts/vscode/test-extensions.ts';
import { quietSettings } from '../../../scripts/vscode/quiet-settings.ts';
import { settingsOf, type VsCodeOptions } from './vscode-options.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Launches a separate desktop VS Code with both extensions unpacked. Downloads it if possible. */
export async function launchDesktop(
  dir: string,
  options: VsCodeOptions,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly page: Page; readonly logs: string } & AsyncDisposable> {
  await ensureRelease();
  const userData = join(dir, 'user-data');
  mkdirSync(join(userData, 'User'), { recursive: true });
  writeFileSync(join(userData, 'User/settings.json'), JSON.stringify({ ...quietSettings, ...settingsOf(options) }));
  const executablePath = await downloadAndUnzipVSCode({ cachePath: join(root, 'out/vscode') });
  const app = await electron.launch({
    executablePath,
    args: [
      options.folder,
      `--extensionDevelopmentPath=${root}`,
      `--extensionDevelopmentPath=${await buildDriver(dir)}`,
      `--user-data-dir=${userData}`,
      `--extensions-dir=${join(dir, 'extensions')}`,
      '--disable-workspace-trust',
      '--disable-updates',
      '--skip-welcome',
      '--skip-release-notes',
      '--no-sandbox',
    ],
    env: { ...definedVariables(), ...env },
  });
  const page = await app.firstWindow();
  return { page, logs: join(userData, 'logs'), [Symbol.asyncDispose]: () => app.close() };
}

/** The environment without the variables of VS Code's terminal, which would attach the new VS Code to the running one. */
function definedVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('VSCODE_') || name.startsWith('ELECTRON_') ? [] : [[name, value]],
    ),
  );
}
