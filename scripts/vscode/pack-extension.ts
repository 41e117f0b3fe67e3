import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../set-up/run.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const vsce = join(root, 'node_modules/@vscode/vsce/vsce');

/** Packs a folder as it would be published; `outFile` ends in `.vsix`. Resolves with it. */
export async function packFolder(folder: string, outFile: string): Promise<string> {
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--skip-license',
    '--out',
    outFile,
  ];
  await run(process.execPath, [vsce, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return outFile;
}

/** Builds dist/ as it ships, unless whoever started us has done so and says it with ATLAS_DIST=ready. */
export async function ensureRelease(): Promise<void> {
  if (process.env['ATLAS_DIST'] === 'ready') return;
  await run(process.execPath, ['esbuild.config.mjs', '--release'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The extension as it would be published, from dist/ as it is, into `dir`. */
export const packExtension = (dir: string): Promise<string> => packFolder(root, join(dir, 'atlas-bridge.vsix'));
