import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Copies a small extension of this repository from `source` to `folder`, with its `extension.ts` as one bundle. Resolves with `folder`. */
export async function bundleExtension(source: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'README.md', '.vscodeignore']) cpSync(join(source, file), join(folder, file));
  await build({
    entryPoints: [join(source, 'extension.ts')],
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
