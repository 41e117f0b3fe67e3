import { cp, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../set-up/run.ts';
import { packedReadme } from './packed-readme.ts';

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

/** Builds dist/ as it ships, once for this process and those that it starts: they are told so with ATLAS_DIST=ready. */
export async function ensureRelease(): Promise<void> {
  if (process.env['ATLAS_DIST'] === 'ready') return;
  await run(process.execPath, ['esbuild.config.mjs', '--release'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.env['ATLAS_DIST'] = 'ready';
}

/** What a person downloads has at most so many bytes. */
const MAX_VSIX_BYTES = 4e6;

/**
 * The extension as it is published, from dist/ as it is, into `dir`. Resolves with the file.
 * @throws Error when it is too large
 */
export async function packExtension(dir: string, name = 'atlas-bridge.vsix'): Promise<string> {
  await using staged = await mkdtempDisposable(join(tmpdir(), 'atlas-package-'));
  await stage(staged.path);
  const file = await packFolder(staged.path, join(resolve(dir), name));
  const { size } = await stat(file);
  if (size > MAX_VSIX_BYTES) throw new Error(`${file} has ${size} bytes, at most ${MAX_VSIX_BYTES} may be`);
  return file;
}

/** What may ship, in a folder of its own, with the README for those who have nothing else; `.vscodeignore` chooses among it. */
async function stage(folder: string): Promise<void> {
  const files = (await readdir(root)).filter(name =>
    /^(package(\.nls.*)?\.json|.*\.md|LICENSE|\.vscodeignore)$/.test(name),
  );
  for (const name of [...files, 'l10n', 'media', 'docs', 'dist'])
    await cp(join(root, name), join(folder, name), { recursive: true, filter: path => !path.endsWith('.map') });
  await writeFile(join(folder, 'README.md'), packedReadme(await readFile(join(root, 'README.md'), 'utf8')));
}
