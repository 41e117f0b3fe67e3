/** Installs the versions of Node that test the built command line, in `test/old-nodes`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../../../test/old-nodes');
const stamp = join(folder, 'node_modules/.atlas-installed');

export const oldNodes = {
  /** The minimum of `engines` in package.json. */
  oldest: join(folder, 'node_modules/oldest-node/bin/node'),
  unsupported: join(folder, 'node_modules/unsupported-node/bin/node'),
};

/** Installs them unless the versions of the lock file are installed; about 10 seconds and 210 MB. */
export async function ensureOldNodes(): Promise<void> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing the oldest supported Node …');
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  writeFileSync(stamp, lock);
}
