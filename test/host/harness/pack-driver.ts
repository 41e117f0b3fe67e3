import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packFolder } from '../../../scripts/vscode/pack-extension.ts';

const driver = resolve(fileURLToPath(import.meta.url), '../../driver');

/** The extension that carries out what a test says inside the extension host, into `dir`. */
export async function packDriver(dir: string): Promise<string> {
  return packFolder(await buildDriver(dir), join(dir, 'atlas-driver.vsix'));
}

/** The same, unpacked: a folder for `--extensionDevelopmentPath`. */
export async function buildDriver(dir: string): Promise<string> {
  const folder = join(dir, 'driver');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'README.md', '.vscodeignore']) cpSync(join(driver, file), join(folder, file));
  await build({
    entryPoints: [join(driver, 'extension.ts')],
    outfile: join(folder, 'extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'error',
  });
  return folder;
}
