import { cp, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../set-up/run.ts';
import { packedReadme, picturesAddress } from './packed-readme.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
/** The profiler of vsce's search for secrets takes time quadratic in the number of files, which is most of the time of vsce. Nothing reads its marks. */
const withoutMarks = ['--import', 'data:text/javascript,performance.mark=()=>undefined'];

/** The time of every file in a package, in seconds: zip files cannot have an earlier year. */
const PACKED_TIME = '315619200';

/** Packs a folder for publishing, the same bytes each time. `outFile` ends in `.vsix`. Resolves with it. */
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
  // Zip files contain local times.
  const env = { ...process.env, SOURCE_DATE_EPOCH: PACKED_TIME, TZ: 'UTC' };
  await run(process.execPath, [...withoutMarks, vsce, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return outFile;
}

/** Builds a release in dist/, once for this process and its child processes, which see it by ATLAS_DIST=ready. */
export async function ensureRelease(): Promise<void> {
  if (process.env['ATLAS_DIST'] === 'ready') return;
  await run(process.execPath, ['esbuild.config.mjs', '--release'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.env['ATLAS_DIST'] = 'ready';
}

/** Largest allowed size of the download. */
const MAX_VSIX_BYTES = 4e6;

/**
 * Packs the extension into `dir`. Resolves with the file.
 *
 * @param dist folder of the build
 * @throws Error if the file is too large
 */
export async function packExtension(
  dir: string,
  name = 'atlas-bridge.vsix',
  dist = join(root, 'dist'),
): Promise<string> {
  await using staged = await mkdtempDisposable(join(tmpdir(), 'atlas-package-'));
  await stage(staged.path, dist);
  const file = await packFolder(staged.path, join(resolve(dir), name));
  const { size } = await stat(file);
  if (size > MAX_VSIX_BYTES) throw new Error(`${file} has ${size} bytes (at most ${MAX_VSIX_BYTES})`);
  return file;
}

/** Copies the files that may ship to `folder`, with the README for users. `.vscodeignore` selects from them. */
async function stage(folder: string, dist: string): Promise<void> {
  const files = (await readdir(root)).filter(name =>
    /^(package(\.nls.*)?\.json|.*\.md|LICENSE|\.vscodeignore)$/.test(name),
  );
  for (const name of [...files, 'l10n', 'media', 'docs'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await cp(join(root, 'examples/obby'), join(folder, 'examples/obby'), { recursive: true });
  await cp(dist, join(folder, 'dist'), { recursive: true, filter: path => !path.endsWith('.map') });
  const { repository, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly repository?: { readonly url?: string };
    readonly version: string;
  };
  const readme = packedReadme(
    await readFile(join(root, 'README.md'), 'utf8'),
    picturesAddress(repository?.url, version),
  );
  await writeFile(join(folder, 'README.md'), readme);
  // vsce changes the name of the README.
  const guides = await readFile(join(folder, 'docs/README.md'), 'utf8');
  await writeFile(join(folder, 'docs/README.md'), guides.replace('](../README.md)', '](../readme.md)'));
}
