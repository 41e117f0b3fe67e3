import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../set-up/run.ts';
import { startGroup } from '../set-up/process-group.ts';
import { quietSettings } from './quiet-settings.ts';

/** Opens a folder in the installed desktop VS Code, with a separate profile, so that the user's profile is not changed. */
export async function launchCode(options: {
  readonly code: string;
  readonly dir: string;
  readonly folder: string;
  readonly vsix: string;
  readonly settings: Readonly<Record<string, unknown>>;
}): Promise<AsyncDisposable> {
  const userData = join(options.dir, 'user-data');
  mkdirSync(join(userData, 'User'), { recursive: true });
  writeFileSync(join(userData, 'User/settings.json'), JSON.stringify({ ...quietSettings, ...options.settings }));
  const own = ['--user-data-dir', userData, '--extensions-dir', join(options.dir, 'extensions')];
  await run(options.code, [...own, '--install-extension', options.vsix, '--force'], { stdio: 'ignore' });
  // With --wait, the process ends when the window is closed, and ending the process closes the window.
  return startGroup(options.code, [...own, '--new-window', '--wait', options.folder]);
}
