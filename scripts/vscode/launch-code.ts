import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../set-up/run.ts';
import { startGroup } from '../set-up/process-group.ts';
import { quietSettings } from './quiet-settings.ts';

/** Opens a folder in the desktop VS Code of this machine, with a profile of its own, so that the user's is left alone. */
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
  // It stays until the window is closed, and closes the window when it is ended.
  return startGroup(options.code, [...own, '--new-window', '--wait', options.folder]);
}
